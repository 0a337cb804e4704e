import type { Tables } from "./notation.ts";

export const agile: Tables = {
  agile_board_column: {
    fields: `
      id integer RO
      name string(128) Req
      position integer Opt
      action_type enum Req =none
      team ref(team) Opt
      member ref(person) Opt
      clear_member boolean Opt
      dialog_type enum Req =none
      remove_after integer Opt
      wip_limit integer Opt
      deleted boolean RO
      created_at,updated_at datetime RO`,
    shown: "id name created_at updated_at",
    order: "position",
  },
  sprint: {
    collection: "sprints",
    fields: `
      id integer RO
      number integer Opt
      name string(128) Opt
      status enum RO
      start_at,end_at datetime Opt
      scrum_workspace ref(scrum_workspace) Req
      description text Opt
      attachments attachments RO
      description_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID number created_at updated_at status start_at scrum_workspace",
    filter: "id source sourceID created_at updated_at status scrum_workspace",
    sort: "id sourceID number created_at updated_at start_at",
    order: "created_at",
    below: "sprint_backlog_items/owned",
  },
  sprint_backlog_item: {
    fields: `
      id integer RO
      position integer Opt
      estimate integer Opt
      planned boolean RO =false
      done boolean RO
      sprint ref(sprint) RO
      request ref(request) RO|Opt unselectable
      problem ref(problem) RO|Opt unselectable
      task ref(task) RO|Opt unselectable
      project_task ref(project_task) RO|Opt unselectable
      created_at,updated_at datetime RO`,
    shown: "id position estimate sprint created_at updated_at request problem task project_task",
    filter: "created_at updated_at",
    sort: "position created_at updated_at",
    order: "position",
  },
  product_backlog: {
    collection: "product_backlogs",
    fields: `
      id integer RO
      name string(128) Req
      description text Opt
      product_owner ref(person) Opt
      product_goal string(255) Opt
      request_template ref(request_template) Opt
      service_instance ref(service_instance) Opt
      disabled boolean Opt =false
      picture_uri string Opt
      attachments attachments RO
      description_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at (product_goal) (product_owner) (disabled)",
    filter: "id source sourceID name created_at updated_at disabled service_instance request_template",
    sort: "id sourceID name created_at updated_at service_instance request_template",
    order: "name",
    views: "disabled enabled",
    below: "product_backlog_items/list",
  },
  product_backlog_item: {
    further: `
      position,estimate integer RO
      request ref(request) RO
      problem ref(problem) RO
      created_at,updated_at datetime RO`,
  },
};
