import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatAhead, formatMinutes } from "../../base/moments.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel, shortChoiceLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { useNow } from "../../parts/now.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { workflowQueries } from "../../queries/work/workflows.ts";
import { getReferencedName, readText } from "../work-item/page-parts.ts";

/** The workflow that the template would create now: created and rolled back, so that nothing is stored. */
export function TemplatePreview({ template, onClose }: { template: number; onClose(): void }) {
  const { api } = useCurrentAccount();
  const now = useNow();
  const { data, error, refetch } = useQuery(workflowQueries.templatePreview(api, template));
  const moment = (row: Row, name: string) =>
    readText(row, name) === "" ? "" : formatAhead(Date.parse(readText(row, name)), now);
  return (
    <Dialog title={t("workflow.template.preview")} size="lg" onClose={onClose}>
      {error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows rows={5} />}
      {data !== undefined && (
        <>
          <p className="quiet">{t("workflow.template.previewLead", { count: data.tasks.length })}</p>
          <div className="task-list">
            <table className="task-table">
              <thead>
                <tr>
                  <th scope="col">{t("workflow.task")}</th>
                  <th scope="col">{fieldLabel("category")}</th>
                  <th scope="col">{fieldLabel("team")}</th>
                  <th scope="col">{fieldLabel("planned_duration")}</th>
                  <th scope="col">{t("workflow.ends")}</th>
                </tr>
              </thead>
              <tbody>
                {data.tasks.map((task, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: unsaved tasks have no id
                  <tr key={at}>
                    <th scope="row">{readText(task, "subject")}</th>
                    <td>{shortChoiceLabel("task.category", readText(task, "category"))}</td>
                    <td>{getReferencedName(task, "team")}</td>
                    <td className="numbers">
                      {typeof task.planned_duration === "number" ? formatMinutes(task.planned_duration) : ""}
                    </td>
                    <td className="numbers">{moment(task, "completion_target_at")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Dialog>
  );
}
