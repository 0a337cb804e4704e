import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs";
import { workflow as workflowType } from "../../../records/work/workflow.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { sortSteps } from "../../base/graph.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { useTaskGraph } from "../../queries/task-graph.ts";
import { getReference } from "../work-item/page-parts.ts";
import type { PanelProps } from "../work-item/panels/panel-props.ts";
import "../../styles/workflow.css";

/** The workflow of a task, and its step in it. */
export default function TaskStep({ row }: PanelProps) {
  const { account } = useCurrentAccount();
  const workflow = getReference(row, "workflow");
  const { data } = useTaskGraph("workflow", workflow?.id ?? null);
  if (workflow === null) return null;
  const order =
    data === undefined
      ? []
      : sortSteps(
          data.tasks.map(({ id }) => id),
          data.edges,
        );
  const at = order.indexOf(row.id);
  return (
    <p className="task-step">
      <Icon of={IconSitemap} size={14} />
      <Link to={paths.record(account.id, workflowType, workflow.id)} className="truncate">
        <span className="numbers">{workflow.id}</span> {getReferenceName(workflow)}
      </Link>
      {at >= 0 && (
        <>
          <span aria-hidden="true" className="trail-mark">
            ›
          </span>
          <span className="quiet">{t("task.step", { step: at + 1, count: order.length })}</span>
        </>
      )}
    </p>
  );
}
