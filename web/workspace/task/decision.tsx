import { Button, Textarea } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import IconUserShare from "@tabler/icons-react/dist/esm/icons/IconUserShare.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useRef, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatAhead } from "../../base/moments.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { useNow } from "../../parts/now.ts";
import { useSave } from "../../parts/save/use-save.ts";
import { getReferencedName, readText } from "../work-item/page-parts.ts";
import type { PanelProps } from "../work-item/panels/panel-props.ts";
import { ApprovalBackground } from "./approval-background.tsx";
import { type Decision, summarizeApprovals, useApprovals } from "./approvals.ts";
import { TaskWork } from "./task-work.tsx";
import { useWhatFollows } from "./what-follows.ts";
import "../../styles/workflow.css";

const DelegateDialog = lazyDialog(async () => (await import("./delegate-dialog.tsx")).default);

/** The reader's decision on an approval, or the work on a task. */
export default function TaskDecision({ type, row }: PanelProps) {
  const { who } = useCurrentAccount();
  const isApproval = row.category === "approval";
  const { data } = useApprovals(row.id, isApproval);
  if (!isApproval) return <TaskWork type={type} row={row} />;
  if (data === undefined || row.status !== "assigned") return null;
  const decision = summarizeApprovals(data, row.required_approvals, who.person.id);
  return decision.own === null ? null : <DecisionCard type={type} row={row} decision={decision} />;
}

type Vote = "approved" | "rejected";

function DecisionCard({ type, row, decision }: PanelProps & { decision: Decision }) {
  const { may } = useCurrentAccount();
  const save = useSave(type, String(row.id));
  const draft = useDraft(`task/${row.id}/decision`);
  const input = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<Vote | null>(null);
  const [handsOn, setHandsOn] = useState(false);
  const now = useNow();
  const follows = useWhatFollows(row);
  const vote = async (wanted: Vote) => {
    if (busy !== null) return;
    // Uses the text in the input, because keys can be pressed faster than the page renders.
    const note = (input.current?.value ?? draft.text).trim();
    if (wanted === "rejected" && note === "") {
      setProblem(t("task.decision.noteNeeded"));
      input.current?.focus();
      return;
    }
    setBusy(wanted);
    setProblem(null);
    try {
      // The task may stay unchanged until others have decided, too: the response contains its status.
      const isSaved = await save({ status: wanted, ...(note === "" ? {} : { note }) }, { waits: true });
      if (!isSaved) return;
      draft.remove();
      showMessage(t(wanted === "approved" ? "task.decision.approved" : "task.decision.rejected"));
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(null);
    }
  };
  // biome-ignore format: a table keeps its columns
  const actions: readonly Action[] = [
    { id: "task.approve", group: "record", keys: "shift+a", icon: IconCheck, name: t("task.decision.approve"), words: "vote decide", run: () => vote("approved") },
    { id: "task.reject",  group: "record", keys: "shift+r", icon: IconX,     name: t("task.decision.reject"),  words: "vote decide", run: () => vote("rejected") },
  ];
  useActions(actions);
  const target = readText(row, "completion_target_at");
  const absent = decision.own?.delegate == null ? null : decision.own.approver;
  return (
    <section className="decision-card" aria-labelledby="decision-title">
      <div className="decision-head">
        <span className="decision-sign">
          <Icon of={IconRubberStamp} size={22} />
        </span>
        <div>
          <h2 id="decision-title">
            {absent === null ? t("task.decision.title") : t("task.decision.inPlace", { name: absent.name ?? "" })}
          </h2>
          <p>
            {t("task.decision.asks", { name: getReferencedName(row, "manager") })}{" "}
            {t("task.decision.needed", { count: decision.needed, given: decision.approved })}{" "}
            {target !== "" && (
              <>
                {t("task.decision.by")} <b className="numbers">{formatAhead(Date.parse(target), now)}</b>.
              </>
            )}
          </p>
        </div>
      </div>
      <ApprovalBackground task={row.id} />
      <Textarea
        ref={input}
        autosize
        minRows={2}
        maxRows={8}
        aria-label={t("task.decision.note")}
        placeholder={t("task.decision.noteHint")}
        value={draft.text}
        readOnly={!draft.isLoaded}
        error={problem}
        onChange={(event) => draft.setText(event.currentTarget.value)}
      />
      <div className="decision-actions">
        <Button
          leftSection={<Icon of={IconCheck} />}
          rightSection={<Kbd keys="shift+a" />}
          aria-keyshortcuts="Shift+A"
          loading={busy === "approved"}
          disabled={busy !== null}
          onClick={() => void vote("approved")}
        >
          {t("task.decision.approve")}
        </Button>
        <Button
          variant="default"
          c="var(--red)"
          leftSection={<Icon of={IconX} />}
          rightSection={<Kbd keys="shift+r" />}
          aria-keyshortcuts="Shift+R"
          loading={busy === "rejected"}
          disabled={busy !== null}
          onClick={() => void vote("rejected")}
        >
          {t("task.decision.reject")}
        </Button>
        {may("update", type) && absent === null && (
          <button type="button" className="text-button decision-other" onClick={() => setHandsOn(true)}>
            <Icon of={IconUserShare} /> {t("task.decision.somebodyElse")}
          </button>
        )}
      </div>
      {follows !== "" && <p className="quiet small decision-follows">{follows}</p>}
      {handsOn && decision.own !== null && (
        <DelegateDialog row={row} approval={decision.own} onClose={() => setHandsOn(false)} />
      )}
    </section>
  );
}
