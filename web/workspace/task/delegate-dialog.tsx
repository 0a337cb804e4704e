import { Button } from "@mantine/core";
import { useState } from "react";
import { task as taskType } from "../../../records/work/task.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { errorText } from "../../elements/error-text.ts";
import { showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { pagePath, useRefreshRecord } from "../../queries/record-page.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { usePeople } from "../work-item/side/use-people.ts";
import type { Approval } from "./approvals.ts";

type Props = { row: Row; approval: Approval; onClose(): void };

/** Passes the approval on to another person: they become an approver in the reader's place. */
export default function DelegateDialog({ row, approval, onClose }: Props) {
  const { api } = useCurrentAccount();
  const refresh = useRefreshRecord(taskType, String(row.id));
  const [text, setText] = useState("");
  const [person, setPerson] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const people = (usePeople(text, { keeps: true }).data ?? []).filter(({ id }) => id !== approval.approver.id);
  const submit = async () => {
    if (person === null) return setProblem(t("task.handOn.needed"));
    const path = `${pagePath(taskType, row.id)}/approvals`;
    try {
      await api.create(path, { approver_id: Number(person) });
      // Only after the other person was added, so that the task is never without an approver.
      await api.remove(`${path}/${approval.id}`);
      await refresh();
      onClose();
      showMessage(t("task.handOn.done"));
    } catch (error) {
      setProblem(errorText(error));
      await refresh();
    }
  };
  return (
    <Dialog title={t("task.decision.somebodyElse")} onClose={onClose}>
      <form
        className="choose-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Select
          label={t("task.handOn.person")}
          description={t("task.handOn.hint")}
          data-autofocus
          searchable
          comboboxProps={{ position: "bottom", middlewares: { flip: false } }}
          maxDropdownHeight={200}
          data={people.map((each) => ({ value: String(each.id), label: getReferenceName(each) }))}
          filter={({ options }) => options}
          value={person}
          error={problem}
          onSearchChange={setText}
          onChange={setPerson}
        />
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit">{t("task.handOn.ask")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
