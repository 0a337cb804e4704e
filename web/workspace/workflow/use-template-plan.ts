import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findPath, type GraphEdge, indexNeighbors, sortSteps } from "../../base/graph.ts";
import { t } from "../../languages/index.ts";
import { listQueries } from "../../queries/records.ts";
import type { Reference } from "../../queries/reference.ts";
import { relationsPath, type TemplateRelation, workflowQueries } from "../../queries/work/workflows.ts";
import { nameCircle } from "./task-look.ts";

const noRelations: readonly TemplateRelation[] = [];

function listEdges(relations: readonly TemplateRelation[]): GraphEdge[] {
  return relations.flatMap(({ id, predecessor_ids, failure_task_template }): GraphEdge[] => {
    const failure = relations.find(({ task_template }) => task_template.id === failure_task_template?.id);
    return [
      ...predecessor_ids.map((from): GraphEdge => ({ from, to: id, kind: "next" })),
      ...(failure === undefined ? [] : [{ from: id, to: failure.id, kind: "failure" as const }]),
    ];
  });
}

/** The steps of a workflow template in order, and the functions to change them. */
export function useTemplatePlan(template: number) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const path = relationsPath(template);
  const { data, error, refetch } = useQuery(workflowQueries.templateRelations(api, template));
  const relations = data ?? noRelations;
  const edges = useMemo(() => listEdges(relations), [relations]);
  const order = useMemo(() => {
    const ids = relations.map(({ id }) => id);
    return sortSteps(ids, edges);
  }, [relations, edges]);
  const named = { tasks: relations.map(({ id, task_template }) => ({ id, subject: task_template.name ?? "" })) };
  const refresh = () => queries.invalidateQueries({ queryKey: listQueries.of(api, path) });
  const change = (id: number, predecessor_ids: readonly number[]) => api.change(`${path}/${id}`, { predecessor_ids });
  const beforeOf = (id: number) => relations.find((each) => each.id === id)?.predecessor_ids ?? [];
  return {
    ...{ relations, edges, order, named, beforeOf, error, refetch },
    isLoaded: data !== undefined,
    /** Returns the reason why it is impossible; null: done. */
    async link(from: number, to: number): Promise<string | null> {
      const circle = findPath(edges, to, from);
      if (circle !== null) return t("workflow.circle", { path: nameCircle(named, circle) });
      await change(to, [...new Set([...beforeOf(to), from])]);
      await refresh();
      return null;
    },
    /** Returns the id of the new step. `after`: its predecessor; the predecessor's successors follow the new step. */
    async add(step: Reference, after: number | null): Promise<number> {
      const successors = after === null ? [] : indexNeighbors(edges)(after).after;
      const created = await api.create(path, {
        task_template_id: step.id,
        predecessor_ids: after === null ? [] : [after],
      });
      for (const id of successors) await change(id, [...beforeOf(id).filter((each) => each !== after), created.id]);
      await refresh();
      return created.id;
    },
    /** The step's successors then follow its predecessors. */
    async remove(id: number): Promise<void> {
      const { before, after } = indexNeighbors(edges)(id);
      for (const next of after)
        await change(next, [...new Set([...beforeOf(next).filter((each) => each !== id), ...before])]);
      await api.remove(`${path}/${id}`);
      await refresh();
    },
  };
}

export type TemplatePlanState = ReturnType<typeof useTemplatePlan>;
