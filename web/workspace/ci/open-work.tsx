import { Button } from "@mantine/core";
import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { problem } from "../../../records/work/problem.ts";
import { request } from "../../../records/work/request.ts";
import { task } from "../../../records/work/task.ts";
import { workflow } from "../../../records/work/workflow.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { putInPlace, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { SlaChip } from "../../parts/work/sla-chip.tsx";
import { StatusIcon } from "../../parts/work/status.tsx";
import { CategoryIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { useList } from "../../queries/index.ts";
import { getReferenceName, readReference } from "../../queries/reference.ts";
import { itemQueries } from "../../queries/workspace/items.ts";

// The open work on an item: unfinished requests, tasks and problems.

type Kind = { type: RecordType; view: string; target: string; more: string };

const kinds = {
  requests: { type: request, view: "/open", target: "next_target_at", more: "" },
  tasks: { type: task, view: "/open", target: "completion_target_at", more: ",workflow" },
  problems: { type: problem, view: "", target: "analysis_target_at", more: "" },
} as const satisfies Record<string, Kind>;

/** The rows in the card, and the rows of a full list page. */
const [fewRows, manyRows] = [5, 100];

const isOver = (status: unknown): boolean => status === "completed" || status === "solved";

function useOpenRecords(id: number, { type, view, target, more }: Kind, all: boolean) {
  const { data } = useList(`/cis/${id}/${type.collection}${view}`, {
    per_page: String(all ? manyRows : fewRows),
    fields: `subject,status,category,${target}${more}`,
  });
  return (data?.rows ?? [])
    .filter(({ status }) => !isOver(status))
    .map((row) => ({ type, row, target: typeof row[target] === "string" ? row[target] : null }));
}

/** The next target comes first, work without a target last. */
const byTarget = (a: { target: string | null }, b: { target: string | null }): number =>
  Number(isMoment(b.target)) - Number(isMoment(a.target)) || String(a.target).localeCompare(String(b.target));
const isMoment = (target: string | null): boolean => target !== null && /^\d/.test(target);

export function OpenWork({ id }: { id: number }) {
  const [all, setAll] = useState(false);
  const { api } = useCurrentAccount();
  const { data: graph } = useQuery(itemQueries.graph(api, id, 2));
  const total = graph?.items.find((item) => item.id === id)?.open_work ?? 0;
  const found = [
    ...useOpenRecords(id, kinds.requests, all),
    ...useOpenRecords(id, kinds.tasks, all),
    ...useOpenRecords(id, kinds.problems, all),
  ].sort(byTarget);
  const shown = all ? found : found.slice(0, fewRows);
  return (
    <section className="card ci-card" aria-labelledby="ci-open-work">
      <div className="ci-card-head">
        <h2 id="ci-open-work">{t("ci.work")}</h2>
        {!all && total > shown.length && (
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
            {t("ci.allWork", { count: total })}
          </Button>
        )}
      </div>
      {graph !== undefined && total === 0 && <p className="ci-quiet">{t("ci.noWork")}</p>}
      <div className="ci-works">
        {shown.map(({ type, row, target }) => (
          <RowBoundary key={`${type.name} ${row.id}`} row={row} frame={putInPlace}>
            {() => <WorkLine type={type} row={row} target={target} />}
          </RowBoundary>
        ))}
      </div>
    </section>
  );
}

function WorkLine({ type, row, target }: { type: RecordType; row: Row; target: string | null }) {
  const { account } = useCurrentAccount();
  return (
    <div className="ci-work">
      <CategoryIcon type={type.name} category={String(row.category ?? "")} />
      <span className="numbers">{formatWorkId(type.name, row.id)}</span>
      <Link to={paths.record(account.id, type, row.id)}>{String(row.subject ?? "")}</Link>
      <StatusIcon type={type.name} status={String(row.status)} />
      {target !== null && <SlaChip target={target} status={String(row.status)} />}
    </div>
  );
}

/** The workflow with open work on the item, if there is one. */
export function WorkflowChip({ id }: { id: number }) {
  const { account } = useCurrentAccount();
  const reference = useOpenRecords(id, kinds.tasks, false)
    .map(({ row }) => readReference(row.workflow))
    .find((found) => found !== null);
  if (reference === undefined) return null;
  return (
    <Link to={paths.record(account.id, workflow, reference.id)} className="ci-workflow">
      <Chip tone="violet" icon={IconSitemap} title={getReferenceName(reference)}>
        {t("ci.inWorkflow", { id: reference.id, subject: getReferenceName(reference) })}
      </Chip>
    </Link>
  );
}
