import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfRecord } from "../change-rules.ts";
import { recordQueries } from "../records.ts";
import type { Reference } from "../reference.ts";

type Weeks = { from: string; until: string; every: string };

export const projectQueries = {
  /** Milestones with their due dates. */
  milestones: (api: Api, project: number) =>
    recordQueries.part(api, "project", project, "milestones", async () => {
      const query = { at: `/projects/${project}/tasks`, category: "milestone", per_page: "100" };
      return (await api.list("project_task", { ...query, fields: ["subject", "deadline"] })).rows;
    }),
  workload: (api: Api, project: number, weeks: Weeks) =>
    queryOptions({
      queryKey: [...recordQueries.all(api, "project", project), "workload", weeks],
      queryFn: () => api.call("GET /projects/:id/workload", { id: project, ...weeks }),
      retry: false,
      meta: { changedBy: changesOfRecord("project", project) },
    }),
  holidays: (api: Api, calendar: number | string | undefined) =>
    queryOptions({
      queryKey: [api.account, "closed periods", calendar],
      queryFn: async () => {
        const query = { at: `/calendars/${calendar}/holidays`, per_page: "100" };
        return (await api.list("holiday", { ...query, fields: ["name", "start_at", "end_at"] })).rows;
      },
      enabled: calendar !== undefined,
      staleTime: 300_000,
      retry: false,
    }),
  /** Phases of a project template, and the task templates in each. */
  template: (api: Api, template: number) =>
    queryOptions({
      queryKey: [api.account, "project template", String(template)],
      queryFn: () => loadTemplate(api, `/project_templates/${template}`),
    }),
};

/** A task template in a phase of a project template. */
export type TemplateStep = { readonly id: number; readonly task_template: Reference; readonly phase_name: string };
type TaskTemplate = { readonly id: number; readonly category: string; readonly planned_duration: number | null };
export type ProjectTemplate = {
  phases: readonly { readonly id: number; readonly name: string; readonly position: number | null }[];
  relations: readonly TemplateStep[];
  /** by their id */
  templates: ReadonlyMap<number, TaskTemplate>;
};

async function loadTemplate(api: Api, path: string): Promise<ProjectTemplate> {
  const most = { per_page: "100" };
  const [phases, relations] = await Promise.all([
    api.list("project_template_phase", { at: `${path}/phases`, fields: ["name", "position"], ...most }),
    api.list("project_task_template_relation", {
      ...{ at: `${path}/task_templates`, fields: ["task_template", "phase_name"], ...most },
    }),
  ]);
  const ids = [...new Set(relations.rows.map(({ task_template }) => task_template.id))];
  const fields = ["category", "planned_duration"] as const;
  const templates =
    ids.length === 0 ? [] : (await api.list("project_task_template", { fields, id: ids.join(","), ...most })).rows;
  return {
    phases: phases.rows,
    relations: relations.rows,
    templates: new Map(templates.map((each) => [each.id, each])),
  };
}
