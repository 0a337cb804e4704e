import { useQuery } from "@tanstack/react-query";
import { workflow as workflowType } from "../../../../records/work/workflow.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { formatWithin, readerZone } from "../../../base/moments.ts";
import { paths } from "../../../base/paths.ts";
import { Link } from "../../../elements/link.tsx";
import { tip } from "../../../elements/tip.tsx";
import { currentLocale, t } from "../../../languages/index.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { useNow } from "../../../parts/now.ts";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { StatusIcon, statusLabel } from "../../../parts/work/status.tsx";
import { statusLook } from "../../../parts/work/status-shape.ts";
import { useSubList } from "../../../queries/record-page.ts";
import { type Progress, releaseQueries } from "../../../queries/work/releases-and-risks.ts";
import { isClosed, readText } from "../page-parts.ts";
import type { PanelProps } from "./panel-props.ts";
import { buildTimeScale, type TimeScale } from "./time-scale.ts";

const noProgress: ReadonlyMap<number, Progress> = new Map();

type Plan = { row: Row; from: number; until: number | null };

/** The workflows of a release: their progress and dates, on a common time axis. */
export default function ReleasePlan({ type, row }: PanelProps) {
  const fields = "subject,status,start_at,completion_target_at,completed_at,created_at";
  const workflows = useSubList(type, String(row.id), "workflows", { fields, per_page: "100" });
  const rows = workflows.data?.rows ?? [];
  const { api } = useCurrentAccount();
  const ids = rows.map(({ id }) => id);
  const progress = useQuery(releaseQueries.progress(api, ids)).data ?? noProgress;
  const now = useNow();
  if (workflows.error !== null) return <ErrorPanel error={workflows.error} retry={() => void workflows.refetch()} />;
  if (workflows.data === undefined) return null;
  const plans = rows.map(readPlan).sort((one, other) => one.from - other.from);
  const scale = buildTimeScale(
    plans.flatMap(({ from, until }) => (until === null ? [from] : [from, until])),
    now,
  );
  const done = rows.filter((each) => isClosed(readText(each, "status"))).length;
  return (
    <section className="text-block plan" aria-label={t("release.plan")}>
      <div className="text-block-head">
        <h2>{t("release.plan")}</h2>
        {rows.length > 0 && <span className="quiet">{t("release.done", { done, count: rows.length })}</span>}
      </div>
      {rows.length === 0 ? (
        <EmptyState title={t("release.noWorkflows")} lead={t("release.noWorkflowsLead")} />
      ) : (
        <table className="plan-table">
          <thead>
            <tr>
              <th scope="col">{t("release.workflow")}</th>
              <th scope="col">{t("release.tasks")}</th>
              <th scope="col">
                <Marks scale={scale} now={now} />
              </th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <PlanRow key={plan.row.id} plan={plan} scale={scale} now={now} progress={progress.get(plan.row.id)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const readMoment = (row: Row, ...names: string[]): number | null => {
  const found = names.map((name) => readText(row, name)).find((text) => text !== "");
  return found === undefined ? null : Date.parse(found);
};

const readPlan = (row: Row): Plan => ({
  row,
  from: readMoment(row, "start_at", "created_at") ?? 0,
  until: readMoment(row, "completed_at", "completion_target_at"),
});

const formatMark = (at: number): string =>
  new Intl.DateTimeFormat(currentLocale(), { day: "numeric", month: "short", timeZone: readerZone() }).format(at);

/** The dates above the bars; screen readers get them with each workflow instead. */
function Marks({ scale, now }: { scale: TimeScale; now: number }) {
  const today = scale.place(now);
  return (
    <>
      <span className="spoken">{t("release.when")}</span>
      <span className="plan-marks" aria-hidden="true">
        {/* The label of today must not cover a date. */}
        {scale.marks
          .filter(({ place }) => Math.abs(place - today) > 12)
          .map(({ at, place }) => (
            <span key={at} style={{ insetInlineStart: `${place}%` }}>
              {formatMark(at)}
            </span>
          ))}
        {/* At the edges the label is beside the moment, not centered on it, where it would be cut off. */}
        <span className="plan-now" style={{ insetInlineStart: `${today}%`, transform: `translateX(-${today}%)` }}>
          {t("release.today")}
        </span>
      </span>
    </>
  );
}

type RowProps = { plan: Plan; scale: TimeScale; now: number; progress: Progress | undefined };

function PlanRow({ plan: { row, from, until }, scale, now, progress }: RowProps) {
  const { account } = useCurrentAccount();
  const status = readText(row, "status");
  const end = until ?? Math.max(now, from);
  const isLate = until !== null && until < now && !isClosed(status);
  const words =
    until === null
      ? t("release.open", { from: formatWithin(from, now) })
      : t(isLate ? "release.late" : "release.span", { from: formatWithin(from, now), until: formatWithin(until, now) });
  const [start, width] = [scale.place(from), Math.max(0.8, scale.place(end) - scale.place(from))];
  const share = progress === undefined || progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <tr>
      <th scope="row">
        <span className="plan-name">
          <StatusIcon type="workflow" status={status} />
          <Link to={paths.record(account.id, workflowType, row.id)} className="truncate">
            {readText(row, "subject")}
          </Link>
        </span>
      </th>
      <td className="numbers quiet">
        {progress === undefined ? "" : t("release.progress", { done: progress.done, total: progress.total })}
      </td>
      <td>
        <span className="spoken">{words}</span>
        <span className="plan-line" aria-hidden="true">
          <span className="plan-now" style={{ insetInlineStart: `${scale.place(now)}%` }} />
          <span
            className="plan-bar"
            data-tone={isLate ? "red" : statusLook(status).tone}
            data-open={until === null || undefined}
            style={{ insetInlineStart: `${start}%`, inlineSize: `${width}%` }}
            {...tip(`${statusLabel("workflow", status)} · ${words}`)}
          >
            <span style={{ inlineSize: `${Math.round(share * 100)}%` }} />
          </span>
        </span>
      </td>
    </tr>
  );
}
