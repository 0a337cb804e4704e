import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import { useState } from "react";
import { isFinished } from "../../../records/work/task-states.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useAction, useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { useSave } from "../../parts/save/use-save.ts";
import { CompleteDialog } from "../work-item/complete-dialog.tsx";
import { getPageParts, readText } from "../work-item/page-parts.ts";
import type { PanelProps } from "../work-item/panels/panel-props.ts";
import { useWhatFollows } from "./what-follows.ts";

/** Accept, complete, fail: the actions on a task that isn't an approval, and their consequences. */
export function TaskWork({ type, row }: PanelProps) {
  const { may } = useCurrentAccount();
  const save = useSave(type, String(row.id));
  const [fails, setFails] = useState(false);
  const follows = useWhatFollows(row);
  const status = readText(row, "status");
  const isOpen = !isFinished(status) && status !== "registered" && may("update", type);
  // biome-ignore format: a table keeps its columns
  const fail: Action = { id: "task.fail", group: "record", keys: "shift+f", icon: IconAlertTriangle, name: t("task.fail"), when: isOpen, words: "break", run: () => setFails(true) };
  useActions([fail]);
  const [accept, complete] = [useAction("request.accept"), useAction("request.complete")];
  if (!isOpen && follows === "") return null;
  return (
    <section className="work-card" aria-label={t("task.work")}>
      {isOpen && (
        <div className="work-actions">
          {accept !== undefined && <ActionButton action={accept} primary />}
          {complete !== undefined && <ActionButton action={complete} primary={accept === undefined} />}
          <ActionButton action={fail} danger />
        </div>
      )}
      {follows !== "" && <p className="quiet small">{follows}</p>}
      {fails && (
        <CompleteDialog
          type={type}
          row={row}
          parts={{ ...getPageParts(type.name, row), completed: { status: "failed", asks: [] } }}
          title={t("task.fail")}
          onComplete={(changes) => save(changes, { message: t("task.failed") })}
          onClose={() => setFails(false)}
        />
      )}
    </section>
  );
}
