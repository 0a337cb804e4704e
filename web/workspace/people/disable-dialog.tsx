import { Button, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { person as personType } from "../../../records/people/person.ts";
import { request } from "../../../records/work/request.ts";
import { task } from "../../../records/work/task.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { showError, showUndo } from "../../elements/toast.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { accountQueries } from "../../queries/account.ts";
import type { Reference } from "../../queries/reference.ts";
import { addTotals, type Total, toCount } from "../../queries/total.ts";
import { startBulkChange } from "../lists/bulk/bulk-progress.tsx";

type Props = { person: number; name: string; openWork: Total; onClose(): void };

/** Asks for the new assignee of a person's open work before the person is disabled. */
export function DisableDialog({ person, name, openWork, onClose }: Props) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const [successor, setSuccessor] = useState<Reference | null>(null);
  const [remainingWork, setRemainingWork] = useState(openWork);
  const [isBusy, setIsBusy] = useState(false);
  const countOpen = (collection: string): Promise<Total> =>
    api.list(`/${collection}/open`, { member: String(person), fields: "id", per_page: "1" });
  const disable = async () => {
    await api.change(`/people/${person}`, { disabled: true });
    const reload = () => queries.invalidateQueries({ queryKey: accountQueries.all(api) });
    await reload();
    showUndo(t("record.done.disable", { type: typeLabel(personType) }), async () => {
      await api.change(`/people/${person}`, { disabled: false });
      await reload();
    });
    onClose();
  };
  const handOver = async () => {
    for (const type of [request, task]) {
      if ((await countOpen(type.collection)).total === 0) continue;
      const order = { collection: type.collection, query: `state=open&member=${person}` };
      await startBulkChange({ api, queries, type }, { ...order, change: { member_id: successor?.id } });
    }
    // Work that a team or a rule refused stays with the person, who is then not disabled, so that the administrator can
    // resolve it first.
    const rest = addTotals(await countOpen(request.collection), await countOpen(task.collection));
    setRemainingWork(rest);
    if (rest.total === 0) await disable();
  };
  const run = (work: () => Promise<void>) => async () => {
    setIsBusy(true);
    await work().catch(showError);
    setIsBusy(false);
  };
  return (
    <Dialog title={t("person.disableTitle", { name })} onClose={onClose}>
      <Stack gap="md">
        <p role="status">{t("person.disableLead", { name, count: toCount(remainingWork) })}</p>
        <ReferencePicker to="person" label={t("person.takesOver")} value={successor} onChange={setSuccessor} />
        <Group justify="flex-end">
          <Button variant="default" disabled={isBusy} onClick={() => void run(disable)()}>
            {t("person.disableOnly")}
          </Button>
          <Button disabled={successor === null} loading={isBusy} onClick={() => void run(handOver)()}>
            {t("person.handOver")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
