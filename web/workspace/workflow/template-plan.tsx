import { Button } from "@mantine/core";
import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { findPath, type GraphEdge, indexNeighbours, sortSteps } from "../../parts/graph/graph.ts";
import { GraphView } from "../../parts/graph/graph-view.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError } from "../../parts/toast.tsx";
import type { Reference } from "../../queries/reference.ts";
import LinkTaskDialog from "./link-dialog.tsx";
import { nameCircle } from "./task-look.ts";
import { TemplatePreview } from "./template-preview.tsx";
import { TemplateStepDialog } from "./template-step-dialog.tsx";
import "../../styles/workflow.css";

type Relation = Row & {
  task_template: Reference;
  phase_name: string | null;
  failure_task_template: Reference | null;
  predecessor_ids: readonly number[];
};
type Dialog = { is: "add"; after: number | null } | { is: "link"; from: number } | { is: "preview" };

/** The tasks that a workflow template makes, as a graph that can be changed, and what would come of it. */
export default function TemplatePlan({ row, writable }: { row: Row; writable: boolean }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [selected, setSelected] = useState<number | null>(null);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const path = `/workflow_templates/${row.id}/task_template_relations`;
  const queryKey = [account.id, "list", path, "graph"];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const fields = "task_template,phase_name,failure_task_template,predecessor_ids";
      return (await api.list(path, { fields, per_page: "100" })).rows as Relation[];
    },
  });
  const relations = data ?? noRelations;
  const edges = useMemo(() => listEdges(relations), [relations]);
  const order = useMemo(
    () =>
      sortSteps(
        relations.map(({ id }) => id),
        edges,
      ),
    [relations, edges],
  );
  const named = { tasks: relations.map(({ id, task_template }) => ({ id, subject: task_template.name ?? "" })) };
  const refresh = () => queries.invalidateQueries({ queryKey: [account.id, "list", path] });
  const change = async (id: number, predecessor_ids: readonly number[]) =>
    api.change(`${path}/${id}`, { predecessor_ids });
  const beforeOf = (id: number) => relations.find((each) => each.id === id)?.predecessor_ids ?? [];
  /** Answers why it cannot be; null: it was done. */
  const link = async (from: number, to: number): Promise<string | null> => {
    const circle = findPath(edges, to, from);
    if (circle !== null) return t("workflow.circle", { path: nameCircle(named, circle) });
    await change(to, [...new Set([...beforeOf(to), from])]);
    await refresh();
    return null;
  };
  const add = async (template: Reference, after: number | null) => {
    const successors = after === null ? [] : indexNeighbours(edges)(after).after;
    const created = await api.create(path, {
      task_template_id: template.id,
      predecessor_ids: after === null ? [] : [after],
    });
    for (const id of successors) await change(id, [...beforeOf(id).filter((each) => each !== after), created.id]);
    await refresh();
    setSelected(created.id);
    setDialog(null);
  };
  const remove = async (id: number) => {
    const { before, after } = indexNeighbours(edges)(id);
    for (const next of after)
      await change(next, [...new Set([...beforeOf(next).filter((each) => each !== id), ...before])]);
    await api.remove(`${path}/${id}`);
    setSelected(null);
    await refresh();
  };
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  const byId = new Map(relations.map((each) => [each.id, each]));
  return (
    <div className="template-plan">
      <div className="work-actions">
        {writable && (
          <Button
            variant="default"
            leftSection={<Icon of={IconPlus} />}
            onClick={() => setDialog({ is: "add", after: selected })}
          >
            {t(selected === null ? "workflow.add" : "workflow.addAfter")}
          </Button>
        )}
        {writable && selected !== null && (
          <>
            <Button variant="default" onClick={() => setDialog({ is: "link", from: selected })}>
              {t("workflow.link")}
            </Button>
            <Button
              variant="default"
              c="var(--red)"
              leftSection={<Icon of={IconTrash} />}
              onClick={() => void remove(selected).catch(showError)}
            >
              {t("workflow.template.remove")}
            </Button>
          </>
        )}
        <Button variant="default" leftSection={<Icon of={IconEye} />} onClick={() => setDialog({ is: "preview" })}>
          {t("workflow.template.preview")}
        </Button>
      </div>
      {relations.length === 0 ? (
        <EmptyState title={t("workflow.empty")} />
      ) : (
        <GraphView
          label={t("workflow.graph")}
          nodes={order.map((id, at) => ({
            id,
            spoken: t("task.step", { step: at + 1, count: order.length }),
            state: "waiting" as const,
            isConditional: edges.some(({ to, kind }) => to === id && kind === "failure") && beforeOf(id).length === 0,
          }))}
          edges={edges}
          critical={noneCritical}
          selected={selected}
          onSelect={setSelected}
          onOpen={setSelected}
          onInsert={writable ? ({ from }) => setDialog({ is: "add", after: from }) : null}
          onLink={
            writable
              ? (from, to) =>
                  void link(from, to)
                    .then((refused) => refused !== null && showError(new Error(refused)))
                    .catch(showError)
              : null
          }
        >
          {(id) => (
            <>
              <span className="graph-node-line">
                <span className="truncate">{byId.get(id)?.phase_name ?? ""}</span>
              </span>
              <span className="graph-node-name">{byId.get(id)?.task_template.name}</span>
            </>
          )}
        </GraphView>
      )}
      {dialog?.is === "add" && (
        <TemplateStepDialog
          to="task_template"
          onAdd={(template) => add(template, dialog.after)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.is === "link" && (
        <LinkTaskDialog
          graph={named}
          order={order}
          from={dialog.from}
          onLink={(to) => link(dialog.from, to)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.is === "preview" && <TemplatePreview template={row.id} onClose={() => setDialog(null)} />}
    </div>
  );
}

const noRelations: readonly Relation[] = [];
const noneCritical: ReadonlySet<number> = new Set();

function listEdges(relations: readonly Relation[]): GraphEdge[] {
  return relations.flatMap(({ id, predecessor_ids, failure_task_template }): GraphEdge[] => {
    const failure = relations.find(({ task_template }) => task_template.id === failure_task_template?.id);
    return [
      ...predecessor_ids.map((from): GraphEdge => ({ from, to: id, kind: "next" })),
      ...(failure === undefined ? [] : [{ from: id, to: failure.id, kind: "failure" as const }]),
    ];
  });
}
