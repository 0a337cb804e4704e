import type { Tables } from "./notation.ts";

export const workflowsAndTasks: Tables = {
  task_approval: {
    fields: `
      id integer RO
      approver ref(person) Req
      planned_effort integer(600000) Opt
      status enum RO
      attachment hash RO
      account ref(account) RO
      created_at,updated_at datetime RO`,
    shown: "*",
    filter: "status",
  },
  project_task_assignment: {
    fields: `
      id integer RO
      assignee ref(person) Req
      planned_effort integer(600000) Opt
      status enum RO
      waiting_until datetime Opt
      attachment hash RO
      account ref(account) RO
      created_at,updated_at datetime RO`,
  },
  workflow_phase: {
    fields: `
      id integer RO
      name string(50) Req
      position integer Opt
      status enum RO =registered
      started_at datetime RO
      completed_at datetime RO
      created_at,updated_at datetime RO`,
    shown: "*",
  },
  workflow_template_phase: {
    further: `
      id integer RO
      name string(50) Req
      position integer Opt
      created_at,updated_at datetime RO`,
  },
  task_template_approval: {
    further: `
      id integer RO
      approver ref(person) Req
      planned_effort integer(600000) Opt`,
  },
  task_template_relation: {
    fields: `
      id integer RO
      task_template ref(task_template) Req
      phase_name string(50) Opt
      failure_task_template ref(task_template) Opt
      predecessor_ids integers Opt
      created_at,updated_at datetime RO`,
  },
  workflow_type: {
    collection: "workflow_types",
    fields: `
      id integer RO
      name string(128) Req
      reference string(128) RO
      description string(255) Opt
      information text Opt
      position integer Opt
      disabled boolean Opt =false
      attachments attachments RO
      information_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID reference name description position created_at updated_at",
    filter: "id sourceID reference name disabled created_at updated_at",
    folded: "sourceID reference name",
    sort: "id sourceID reference name position created_at updated_at",
    order: "id",
  },
};
