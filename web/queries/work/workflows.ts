import { queryOptions } from "@tanstack/react-query";
import type { Api, Row } from "../../api/index.ts";
import { changesOfList, changesOfRecord } from "../change-rules.ts";
import { listQueries } from "../records.ts";
import type { Reference } from "../reference.ts";
import { type GraphContainer, graphOperation, graphPath } from "../task-graph.ts";

type Move = { move?: string; start_at?: string; end_at?: string };

export const relationsPath = (template: number): string => `/workflow_templates/${template}/task_template_relations`;

export type TemplateRelation = {
  readonly id: number;
  readonly task_template: Reference;
  readonly phase_name: string | null;
  readonly failure_task_template: Reference | null;
  readonly predecessor_ids: readonly number[];
};

export const workflowQueries = {
  /** The tasks of a template and their order. */
  templateRelations: (api: Api, template: number) =>
    queryOptions({
      queryKey: [...listQueries.of(api, relationsPath(template)), "graph"],
      queryFn: async (): Promise<readonly TemplateRelation[]> => {
        const fields = ["task_template", "phase_name", "failure_task_template", "predecessor_ids"] as const;
        const query = { at: relationsPath(template), fields, per_page: "100" };
        const { rows } = await api.list("task_template_relation", query);
        return rows.map((row) => ({ ...row, predecessor_ids: row.predecessor_ids ?? [] }));
      },
      meta: { changedBy: changesOfList(relationsPath(template)) },
    }),
  /** The workflow that a template would create now. Nothing is stored. */
  templatePreview: (api: Api, template: number) =>
    queryOptions({
      queryKey: [api.account, "template preview", String(template)],
      queryFn: () => api.ask<Row & { tasks: Row[] }>("/workflows?dry_run=true", { template_id: template }),
      gcTime: 0,
      retry: false,
    }),
  /** The graph as it would look after a move. */
  planPreview: (api: Api, container: GraphContainer, id: number, move: Move | null) =>
    queryOptions({
      queryKey: [api.account, "plan preview", graphPath(container, id), ...Object.values(move ?? {})],
      queryFn: () => api.call(graphOperation(container), { id, ...move }),
      enabled: move !== null,
      retry: false,
      gcTime: 10_000,
      meta: { changedBy: changesOfRecord(container, id) },
    }),
};
