import type { Client } from "../world.ts";

// Creates workflows, projects and their tasks, including prerequisites, over HTTP; `members` are a story's own values.

type Members = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; tests look at single members
type Made = any;

export const serviceDeskTeam = 1;
export const networksTeam = 2;

export function workflowHelpers(by: Client) {
  const make = async (path: string, members: Members): Promise<Made> => {
    const { status, body, text } = await by.post(path, members);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return body;
  };
  let names = 0;
  const cache = new Map<string, Promise<Made>>();
  const once = (name: string, start: () => Promise<Made>): Promise<Made> => {
    const made = cache.get(name) ?? start();
    cache.set(name, made);
    return made;
  };
  const kinds = {
    workflowType: (members: Members = {}) => make("/workflow_types", { name: `Type ${++names}`, ...members }),
    taskTemplate: (members: Members = {}) =>
      make("/task_templates", { subject: "Do it", category: "implementation", planned_duration: 60, ...members }),
    workflowTemplate: (members: Members = {}) => make("/workflow_templates", { subject: "Change it", ...members }),
    projectTaskTemplate: (members: Members = {}) =>
      make("/project_task_templates", { subject: "Build it", category: "activity", planned_duration: 120, ...members }),
    projectTemplate: (members: Members = {}) => make("/project_templates", { subject: "Build them", ...members }),
    calendar: (members: Members = {}) => make("/calendars", { name: `Calendar ${++names}`, ...members }),
    async workflow(members: Members = {}) {
      const template_id = (await once("workflow template", () => kinds.workflowTemplate())).id;
      const workflow_type = (await once("workflow type", () => kinds.workflowType())).reference;
      return make("/workflows", {
        subject: "A change",
        category: "standard",
        justification: "improvement",
        service_id: 1,
        template_id,
        workflow_type,
        ...members,
      });
    },
    async task(workflow: { id: number }, members: Members = {}) {
      const template_id = (await once("task template", () => kinds.taskTemplate())).id;
      return make(`/workflows/${workflow.id}/tasks`, { template_id, team_id: serviceDeskTeam, ...members });
    },
    async project(members: Members = {}) {
      const work_hours_id = (await once("calendar", () => kinds.calendar())).id;
      return make("/projects", {
        subject: "A project",
        justification: "expansion",
        manager_id: 1,
        service_id: 1,
        customer_id: 1,
        program: "Growth",
        work_hours_id,
        time_zone: "Amsterdam",
        ...members,
      });
    },
    async projectTask(project: { id: number }, members: Members = {}) {
      const template_id = (await once("project task template", () => kinds.projectTaskTemplate())).id;
      return make(`/projects/${project.id}/tasks`, { template_id, ...members });
    },
  };
  return kinds;
}
