import IconFlag from "@tabler/icons-react/dist/esm/icons/IconFlag.mjs";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request as requestType } from "../../../records/work/request.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { formatMinutes } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { shortChoiceLabel } from "../../languages/labels.ts";
import { useNow } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { formatDayAndClock } from "../../parts/precise-moments.ts";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { StatusChip } from "../../parts/work/status.tsx";
import { useSubList } from "../../queries/record-page.ts";
import type { TaskGraph } from "../../queries/task-graph.ts";
import { toCount } from "../../queries/total.ts";
import { getReference, getReferencedName, readText } from "../work-item/page-parts.ts";

type Props = { type: RecordType; row: Row; graph: TaskGraph | undefined; onShowLinked(): void };

const readNumber = (row: Row, name: string): number | null => (typeof row[name] === "number" ? row[name] : null);

/** Subject, status, progress, and one line of further details. */
export function WorkflowHead({ type, row, graph, onShowLinked }: Props) {
  const { account } = useCurrentAccount();
  const now = useNow();
  const requests = useSubList(type, String(row.id), "requests", { fields: "subject", per_page: "2" });
  const problems = useSubList(type, String(row.id), "problems", { fields: "subject", per_page: "2" });
  const certain = (graph?.tasks ?? []).filter(({ conditional }) => !conditional);
  const done = certain.filter(({ status }) => isFinished(status)).length;
  const manager = getReference(row, "manager");
  const impact = readText(row, "impact");
  const end = readText(row, "completed_at") || readText(row, "completion_target_at");
  const [actual, planned] = [readNumber(row, "actual_effort"), readNumber(row, "planned_effort")];
  const [only] = requests.data?.rows ?? [];
  return (
    <header className="workflow-head">
      <div className="workflow-title">
        <h1>{readText(row, "subject")}</h1>
        <StatusChip type="workflow" status={readText(row, "status")} />
        {certain.length > 0 && (
          <span className="workflow-progress">
            <span className="quiet">{t("workflow.progress", { done, count: certain.length })}</span>
            <span className="approval-bar" aria-hidden="true">
              <span style={{ inlineSize: `${Math.round((done / certain.length) * 100)}%` }} />
            </span>
          </span>
        )}
      </div>
      <div className="workflow-facts">
        {manager !== null && (
          <span>
            <Avatar person={manager} silent /> {t("workflow.manager", { name: getReferencedName(row, "manager") })}
          </span>
        )}
        {impact !== "" && impact !== "none" && (
          <span>
            <ImpactIcon impact={impact} silent />{" "}
            {t("workflow.impact", { impact: shortChoiceLabel("task.impact", impact) })}
          </span>
        )}
        <span>{getReferencedName(row, "service")}</span>
        <span>
          {[
            shortChoiceLabel("workflow.category", readText(row, "category")),
            shortChoiceLabel("workflow.justification", readText(row, "justification")),
          ]
            .filter((word) => word !== "")
            .join(" · ")}
        </span>
        {end !== "" && (
          <span>
            <Icon of={IconFlag} size={14} />
            {t(row.status === "completed" ? "workflow.ended" : "workflow.endsAt")}{" "}
            <b className="numbers">{formatDayAndClock(Date.parse(end), now)}</b>
          </span>
        )}
        {planned !== null && planned > 0 && (
          <span className="numbers">
            {t("workflow.effort", { actual: formatMinutes(actual ?? 0), planned: formatMinutes(planned) })}
          </span>
        )}
        {only !== undefined && requests.data?.total === 1 ? (
          <Link to={paths.record(account.id, requestType, only.id)}>{t("workflow.requests", { count: 1 })}</Link>
        ) : (
          (requests.data?.total ?? 0) > 0 && (
            <button type="button" className="text-button" onClick={onShowLinked}>
              {t("workflow.requests", { count: toCount(requests.data) })}
            </button>
          )
        )}
        {(problems.data?.total ?? 0) > 0 && (
          <button type="button" className="text-button" onClick={onShowLinked}>
            {t("workflow.problems", { count: toCount(problems.data) })}
          </button>
        )}
      </div>
    </header>
  );
}
