import type { Tables } from "./notation.ts";
import { projectCategory } from "./spec-configuration-records.ts";

export const problemsReleasesProjectsRisks: Tables = {
  problem: {
    collection: "problems",
    fields: `
      id integer RO
      subject string(255) Req
      category enum Opt =reactive
      impact enum Req =none
      status enum Opt =assigned
      manager ref(person) Req =caller
      service ref(service) Req
      team ref(team) Req =service.support_team
      member ref(person) Opt
      supplier ref(organization) Opt
      supplier_requestID string(255) Opt
      known_error boolean Opt
      workaround text Opt
      knowledge_article ref(knowledge_article) Opt
      analysis_target_at datetime Opt
      waiting_until datetime Opt
      workflow ref(workflow) Opt
      project ref(project) Opt
      product_backlog ref(product_backlog) Opt
      product_backlog_position integer Opt
      agile_board ref(agile_board) Opt
      agile_board_column ref(agile_board_column) Opt
      agile_board_column_position integer Opt
      planned_effort integer(600000) Opt
      new_assignment boolean RO =true
      resolution_duration integer RO
      solved_at datetime RO
      urgent boolean Opt =false
      note text Opt unselectable
      time_spent integer Opt unselectable
      time_spent_effort_class ref(effort_class) Opt unselectable
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,note_attachments,workaround_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown:
      "id sourceID subject impact status known_error analysis_target_at solved_at team member service created_at updated_at",
    filter: "id source sourceID subject impact service status analysis_target_at solved_at created_at updated_at",
    sort: "id sourceID subject impact status known_error analysis_target_at solved_at team member service created_at updated_at",
    order: "-id",
    views: "active known_errors progress_halted solved managed_by_me assigned_to_my_team assigned_to_me",
    below: "notes/owned|list requests/link cis/link service_instances/link sprint_backlog_items/list",
    events: "create update note-added status-changed manager-changed team-changed member-changed",
  },
  release: {
    collection: "releases",
    fields: `
      id integer RO
      subject string(255) Req
      manager ref(person) Req =caller
      status enum RO
      completion_reason enum RO
      impact enum RO
      completion_target_at datetime RO
      completed_at datetime RO
      note text Opt unselectable
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject impact status completion_target_at completed_at created_at updated_at",
    filter: "id source sourceID subject impact status completion_target_at completed_at created_at updated_at",
    sort: "id sourceID subject impact status completion_target_at completed_at created_at updated_at",
    order: "-id",
    views: "completed open managed_by_me",
    below: "notes/owned|list workflows/link",
    events: "create update note-added manager-changed",
  },
  project: {
    collection: "projects",
    fields: `
      id integer RO
      subject string(255) Req
      category enum Opt
      risk_level enum Opt
      justification enum Req
      status enum Opt =registered
      completion_reason enum Opt
      manager ref(person) Req
      service ref(service) Req
      customer ref(organization) Req
      program string(80) Req
      work_hours ref(calendar) Req
      time_zone time_zone Req
      effort integer Opt
      cost_of_effort,cost_of_purchases decimal Opt
      total_cost decimal RO
      value decimal Opt
      value_currency currency Opt
      roi integer RO
      completed_at datetime RO
      completion_target_at datetime RO
      resolution_duration integer RO
      note text Opt unselectable
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown:
      "id sourceID subject manager category status completion_target_at completed_at service created_at updated_at",
    filter:
      "id source sourceID subject category status completion_target_at completed_at service created_at updated_at",
    sort: "id sourceID subject category status completion_target_at completed_at service created_at updated_at",
    order: "-id",
    views: "completed open managed_by_me",
    below:
      "notes/owned|list tasks/list phases/owned requests/link problems/link workflows/link risks/link invoices/list",
    events: "create update note-added status-changed manager-changed",
  },
  project_phase: {
    further: `
      id integer RO
      name string(50) Req
      position integer Opt
      status enum RO =registered
      started_at,completed_at datetime RO
      created_at,updated_at datetime RO`,
    shown: "*",
  },
  project_template: {
    collection: "project_templates",
    further: `
      id integer RO
      subject string(190) Req
      disabled boolean Opt =false
      times_applied integer RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject created_at updated_at",
    filter: "id source sourceID subject disabled created_at updated_at",
    sort: "id sourceID subject created_at updated_at times_applied",
    order: "-id",
    views: "disabled enabled",
    below: "phases/owned task_templates/owned automation_rules/list",
  },
  project_template_phase: {
    further: `
      id integer RO
      name string(50) Req
      position integer Opt
      created_at,updated_at datetime RO`,
  },
  project_task_template_relation: {
    further: `
      id integer RO
      task_template ref(project_task_template) Req
      phase_name string(50) Req`,
    views: "disabled enabled",
  },
  project_task_template: {
    collection: "project_task_templates",
    fields: `
      id integer RO
      subject string(190) Req
      category enum Req
      planned_duration integer(600000) Req
      planned_effort integer(600000) Opt
      planned_effort_project_manager,planned_effort_requester,planned_effort_requester_manager,planned_effort_requester_business_unit_manager,planned_effort_service_owner integer(600000) Opt
      assign_to_project_manager,assign_to_requester,assign_to_requester_manager,assign_to_requester_business_unit_manager,assign_to_service_owner boolean Opt =false
      required_approvals integer Opt =1
      copy_notes_to_project boolean Opt =false
      work_hours_are_24x7 boolean Opt =false
      disabled boolean Opt =false
      instructions,note text Opt
      team ref(team) Opt
      supplier ref(organization) Opt
      skill_pool ref(skill_pool) Opt
      effort_class ref(effort_class) Opt
      ui_extension ref(ui_extension) Opt
      times_applied integer RO
      attachments attachments RO
      instructions_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject category created_at updated_at",
    filter: "id source sourceID subject disabled category created_at updated_at",
    sort: "id sourceID subject category created_at updated_at times_applied",
    order: "-id",
    views: "disabled enabled",
    below: "assignments/owned project_tasks/list project_templates/list automation_rules/list",
  },
  project_task_template_assignment: {
    further: `
      id integer RO
      assignee ref(person) Req
      planned_effort integer(600000) Opt`,
  },
  project_risk_level: { ...projectCategory, collection: "project_risk_levels" },
  risk: {
    collection: "risks",
    fields: `
      id integer RO
      subject string(128) Req
      severity enum Opt
      status enum Opt =anticipated
      closure_reason enum Opt
      manager ref(person) Opt
      mitigation_target_at date Opt
      closed_at datetime RO
      resolution_duration integer RO
      note text Opt unselectable
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject severity status mitigation_target_at closed_at closure_reason created_at updated_at",
    filter: "id source sourceID subject status mitigation_target_at closed_at created_at updated_at",
    sort: "id sourceID subject mitigation_target_at closed_at created_at updated_at",
    order: "subject",
    views: "open closed",
    below: "notes/owned|list organizations/link projects/link services/link",
    events: "create update note-added status-changed manager-changed",
  },
};
