import { Button, Textarea } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import { useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { type GraphTask, useRefreshGraph } from "../../queries/task-graph.ts";

/** If the reader's own approval is pending, they can give it right here. */
export function ApprovalBar({ workflow, task, onSelect }: { workflow: number; task: GraphTask; onSelect(): void }) {
  const { api } = useCurrentAccount();
  const refresh = useRefreshGraph("workflow", workflow);
  const [rejects, setRejects] = useState(false);
  // The same draft as on the task's page.
  const draft = useDraft(`task/${task.id}/decision`);
  const [problem, setProblem] = useState<string | null>(null);
  const vote = async (status: "approved" | "rejected", words: string) => {
    await api.change(`/tasks/${task.id}`, { status, ...(words === "" ? {} : { note: words }) });
    showMessage(t(status === "approved" ? "task.decision.approved" : "task.decision.rejected"));
    await refresh();
  };
  const reject = async () => {
    if (draft.text.trim() === "") return setProblem(t("task.decision.noteNeeded"));
    try {
      await vote("rejected", draft.text.trim());
      draft.remove();
      setRejects(false);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const approve = () => void vote("approved", "").catch(showError);
  // biome-ignore format: a table keeps its columns
  useActions([
    { id: "task.approve", group: "record", keys: "shift+a", icon: IconCheck, name: t("task.decision.approve"), run: approve },
    { id: "task.reject",  group: "record", keys: "shift+r", name: t("task.decision.reject"), run: () => setRejects(true) },
  ]);
  return (
    <div className="approval-line">
      <span className="approval-words truncate">
        <Icon of={IconRubberStamp} color="var(--violet)" /> {t("workflow.yourApproval")}{" "}
        <button type="button" className="text-button" onClick={onSelect}>
          {task.subject}
        </button>
      </span>
      <Button
        variant="default"
        size="xs"
        c="var(--red)"
        rightSection={<Kbd keys="shift+r" />}
        onClick={() => setRejects(true)}
      >
        {t("task.decision.reject")}…
      </Button>
      <Button size="xs" leftSection={<Icon of={IconCheck} />} rightSection={<Kbd keys="shift+a" />} onClick={approve}>
        {t("task.decision.approve")}
      </Button>
      {rejects && (
        <Dialog
          title={t("workflow.rejects", { subject: task.subject })}
          loose={false}
          onClose={() => setRejects(false)}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void reject();
            }}
          >
            <Textarea
              data-autofocus
              autosize
              minRows={3}
              label={t("task.decision.note")}
              value={draft.text}
              error={problem}
              onChange={(event) => draft.setText(event.currentTarget.value)}
            />
            <div className="dialog-actions">
              <Button variant="default" onClick={() => setRejects(false)}>
                {t("form.cancel")}
              </Button>
              <Button type="submit" color="red">
                {t("task.decision.reject")}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  );
}
