import { Button, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { errorText } from "../../../elements/error-text.ts";
import { showMessage } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import type { Sprint } from "../picture.ts";
import { sprintName } from "../sprint-bar.tsx";

type Props = {
  sprint: Sprint;
  /** the next sprint, if one is planned */
  next: Pick<Sprint, "id" | "number" | "name"> | null;
  onClose(): void;
  onCompleted(): void;
};

/** Asks for the destination of unfinished work. */
export default function CompleteSprint({ sprint, next, onClose, onCompleted }: Props) {
  const { api } = useCurrentAccount();
  const [to, setTo] = useState(next === null ? "backlog" : "sprint");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const left = sprint.items.filter(({ done }) => done !== true).length;
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.act(`/sprints/${sprint.id}/complete`, {
        unfinished: to,
        ...(to === "sprint" && next !== null ? { sprint_id: next.id } : {}),
      });
      showMessage(t("boards.completed", { sprint: sprintName(sprint) }));
      onCompleted();
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("boards.completeTitle", { sprint: sprintName(sprint) })} onClose={onClose}>
      <form
        className="quick-edit"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{t("boards.ofPoints", { done: sprint.done, count: sprint.points })}</p>
        {left > 0 && (
          <Radio.Group label={t("boards.unfinished", { count: left })} value={to} onChange={setTo}>
            <Stack gap={8} mt={6}>
              {next !== null && <Radio value="sprint" label={sprintName(next)} />}
              <Radio value="backlog" label={t("boards.toBacklog")} />
            </Stack>
          </Radio.Group>
        )}
        {error !== null && (
          <p role="alert" className="form-error">
            {errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy} data-autofocus>
            {t("boards.complete")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
