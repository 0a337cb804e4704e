import type { Tables } from "./notation.ts";

// Includes the reference's additions to these records.
export const specWorkRecords: Tables = {
  task: {
    collection: "tasks",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      subject string(255) Req =template.subject
      category enum Req =template.category
      status enum Opt =registered
      impact enum Opt =template.impact
      team ref(team) Req =template.team
      member ref(person) Opt =template.member
      manager ref(person) RO
      workflow ref(workflow) Req
      template ref(task_template) Req
      phase ref(workflow_phase) Opt
      supplier ref(organization) Opt =template.supplier
      supplier_requestID string(255) Opt
      skill_pool ref(skill_pool) Opt =template.skill_pool
      failure_task ref(task) Opt
      request ref(request) Opt
      request_template ref(request_template) Opt =template.request_template
      request_service_instance ref(service_instance) Opt =template.request_service_instance
      agile_board ref(agile_board) Opt
      agile_board_column ref(agile_board_column) Opt
      agile_board_column_position integer Opt
      planned_duration integer(600000) Req =template.planned_duration
      planned_effort integer(600000) Opt =template.planned_effort
      required_approvals integer Opt =1|template.required_approvals
      rejection_count integer RO
      resolution_duration integer RO
      start_at datetime Opt
      waiting_until datetime Opt
      anticipated_assignment_at datetime RO
      assigned_at datetime Opt
      completion_target_at datetime RO
      finished_at datetime Opt
      new_assignment boolean RO =false
      provider_not_accountable boolean RO
      urgent boolean Opt =false|template.urgent
      work_hours_are_24x7 boolean Opt =false|template.work_hours_are_24x7
      instructions text Opt =template.instructions
      checked_items strings Opt
      note text Opt unselectable
      time_spent integer Opt unselectable
      time_spent_effort_class ref(effort_class) Opt unselectable
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,instructions_attachments,note_attachments attachments WO
      created_at,updated_at datetime RO`,
    further: `
      copy_note_to_workflow boolean Opt =template.copy_notes_to_workflow
      copy_note_to_request boolean Opt =template.copy_notes_to_request
      predecessor_ids,successor_ids integers WO`,
    shown:
      "id sourceID subject impact category status team member completion_target_at finished_at created_at updated_at",
    filter:
      "id source sourceID subject impact category status team member completion_target_at finished_at created_at updated_at template workflow",
    sort: "id sourceID subject impact category status team member completion_target_at finished_at created_at updated_at",
    order: "-id",
    views: "finished open managed_by_me assigned_to_my_team assigned_to_me approval_by_me",
    below:
      "notes/owned|list approvals/owned predecessors/link successors/link cis/link service_instances/link automation_rules/list sprint_backlog_items/list",
    events: "create member-changed note-added status-changed team-changed update",
  },
  project_task: {
    collection: "project_tasks",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      subject string(255) Req =-|template.subject
      category enum Req =-|template.category
      status enum Opt =registered
      deadline datetime Opt
      phase ref(project_phase) RO
      project ref(project) Req
      team ref(team) Opt =-|template.team
      template ref(task_template) Req
      manager ref(person) RO
      supplier ref(organization) Opt =-|template.supplier
      supplier_requestID string(255) Opt
      skill_pool ref(skill_pool) Opt =-|template.skill_pool
      agile_board ref(agile_board) Opt
      agile_board_column ref(agile_board_column) Opt
      agile_board_column_position integer Opt
      planned_duration integer(600000) Req =-|template.planned_duration
      planned_effort integer(600000) Opt =-|template.planned_effort
      required_approvals integer Opt =1|template.required_approvals
      resolution_duration integer RO
      start_at datetime Opt
      waiting_until datetime Opt unselectable?
      anticipated_assignment_at datetime RO
      assigned_at datetime Opt
      completion_target_at datetime RO
      finished_at datetime Opt
      urgent boolean Opt =false|template.urgent
      work_hours_are_24x7 boolean Opt =false|template.work_hours_are_24x7
      instructions text Opt =-|template.instructions
      checked_items strings Opt
      note text Opt unselectable
      time_spent integer Opt unselectable
      time_spent_effort_class ref(effort_class) Opt unselectable
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,instructions_attachments,note_attachments attachments WO
      predecessor_ids,successor_ids integers WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject category status completion_target_at finished_at created_at updated_at (phase)",
    filter: "id source sourceID subject category status completion_target_at finished_at created_at updated_at",
    sort: "id sourceID subject category status completion_target_at finished_at created_at updated_at",
    order: "-id",
    views: "finished open managed_by_me assigned_to_me open_to_me",
    below:
      "notes/owned|list assignments/owned predecessors/link successors/link automation_rules/list sprint_backlog_items/list",
    events: "create note-added status-changed update",
  },
  request: {
    collection: "requests",
    fields: `
      id integer RO
      subject string(255) Opt
      category enum Req =-|template.category
      impact enum Opt =-|template.impact
      status enum Opt =assigned|template.status
      completion_reason enum Opt =-|template.completion_reason
      closure_code enum Opt
      rfc_type enum Opt =-|template.rfc_type
      major_incident_status enum Opt
      created_by ref(person) Req|Opt =-|caller
      requested_by ref(person) Opt
      requested_for ref(person) Opt
      organization ref(organization) RO
      service_instance ref(service_instance) Opt
      team ref(team) Opt =-|template.team
      member ref(person) Opt =-|template.member
      supplier ref(organization) Opt =-|template.supplier
      supplier_requestID string(255) Opt
      support_domain string WO
      template ref(request_template) Opt
      workflow ref(workflow) Opt
      problem ref(problem) Opt
      project ref(project) Opt
      reservation ref(reservation) Opt
      task ref(task) Opt
      ci ref(ci) Opt unselectable
      knowledge_article ref(knowledge_article) Opt
      feedback_on_knowledge_article ref(knowledge_article) RO
      grouping enum RO =none
      grouped_into ref(request) Opt
      agile_board ref(agile_board) Opt
      agile_board_column ref(agile_board_column) Opt
      agile_board_column_position integer Opt
      product_backlog ref(product_backlog) Opt
      product_backlog_position integer Opt
      addressed boolean Opt =false
      reviewed boolean Opt =false
      urgent boolean Opt =false|template.urgent
      planned_effort integer(600000) Opt =-|template.planned_effort
      assignment_count integer RO
      reopen_count integer RO
      new_assignment boolean RO =true
      provider_not_accountable boolean Opt
      provider_was_not_accountable boolean RO
      waiting_until datetime Opt
      desired_completion_at datetime Opt
      downtime_start_at,downtime_end_at datetime Opt
      completed_at datetime RO
      resolution_duration integer RO
      response_target_at datetime|target RO
      resolution_target_at datetime|target RO
      requester_resolution_target_at datetime|target RO
      next_target_at target RO
      satisfaction enum RO
      feedback hash RO
      summary text RO
      checked_items strings Opt
      note text Opt unselectable
      internal_note text Opt unselectable
      time_spent integer Opt unselectable
      time_spent_effort_class ref(effort_class) Opt unselectable
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,internal_note_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown:
      "id sourceID subject category impact status next_target_at completed_at team member grouped_into service_instance created_at updated_at",
    filter:
      "id source sourceID subject category impact status workflow next_target_at completed_at created_by grouping grouped_into knowledge_article requested_by requested_for service_instance supplier_requestID created_at updated_at team member template major_incident_status organization",
    sort: "id sourceID subject category impact status next_target_at completed_at team member service_instance created_at updated_at",
    order: "-id",
    views:
      "completed open requested_by_or_for_me assigned_to_my_team assigned_to_me waiting_for_me problem_management_review sla_accountability",
    below:
      "notes/owned|list note_attachments/list inbound_emails/list cis/link watches/owned tags/owned|link grouped_requests/list knowledge_articles/list affected_slas/list automation_rules/list sprint_backlog_items/list",
    events:
      "agile-board-column-changed create major-incident-status-changed member-changed note-added status-changed team-changed update",
  },
  workflow: {
    collection: "workflows",
    fields: `
      id integer RO
      subject string(255) Req =template.subject
      category enum Req =template.category
      justification enum Req =template.justification
      status enum Opt =registered
      completion_reason enum Opt
      impact enum RO =none
      manager ref(person) Req =caller
      service ref(service) Req =template.service
      template ref(workflow_template) Req
      workflow_type enum Req =template.workflow_type
      project ref(project) Opt
      release ref(release) Opt
      start_at datetime Opt
      completed_at datetime RO
      completion_target_at datetime RO
      resolution_duration integer RO
      planned_effort integer RO
      actual_effort integer RO
      actual_vs_planned_effort_percentage integer RO
      note text Opt unselectable
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    further: `
      prevent_request_completion boolean Opt =false|template.prevent_request_completion
      analysis_target_at datetime RO`,
    shown:
      "id sourceID subject manager category impact status completion_target_at completed_at service created_at updated_at",
    filter:
      "id source sourceID subject manager category impact status completion_target_at completed_at service created_at updated_at template start_at project release",
    sort: "id sourceID subject manager category impact status completion_target_at completed_at service created_at updated_at",
    order: "-id",
    views: "completed open managed_by_me",
    below: "tasks/list phases/owned notes/owned|list requests/link problems/link automation_rules/list invoices/list",
    events: "create manager-changed note-added status-changed update",
  },
  task_template: {
    collection: "task_templates",
    fields: `
      id integer RO
      subject string(190) Req
      category enum Req
      impact enum Opt
      planned_duration integer(600000) Req
      planned_effort integer(600000) Opt
      planned_effort_workflow_manager,planned_effort_requester,planned_effort_requester_business_unit_manager,planned_effort_requester_manager,planned_effort_service_owner integer(600000) Opt
      assign_to_workflow_manager,assign_to_requester,assign_to_requester_business_unit_manager,assign_to_requester_manager,assign_to_service_owner boolean Opt =false
      copy_notes_to_workflow,disabled,urgent,work_hours_are_24x7 boolean Opt =false
      required_approvals integer Opt =1
      instructions,note text Opt
      member ref(person) Opt
      team ref(team) Opt
      supplier ref(organization) Opt
      skill_pool ref(skill_pool) Opt
      effort_class ref(effort_class) Opt
      request_template ref(request_template) Opt
      request_service_instance ref(service_instance) Opt
      provider_not_accountable boolean Opt
      ui_extension ref(ui_extension) Opt
      times_applied integer RO
      pdf_design ref(pdf_design) Opt
      attachments attachments RO
      instructions_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    further: `
      copy_notes_to_request boolean Opt =false`,
    shown: "id sourceID subject impact category created_at updated_at",
    filter: "id source sourceID subject impact category created_at updated_at disabled",
    sort: "id sourceID subject impact category created_at updated_at times_applied",
    order: "-id",
    views: "disabled enabled",
    below: "approvals/owned cis/link service_instances/link tasks/list workflow_templates/list automation_rules/list",
  },
  workflow_template: {
    collection: "workflow_templates",
    fields: `
      id integer RO
      subject string(255) Req
      category enum Opt
      justification enum Opt
      impact enum RO =none
      workflow_type enum Opt
      service ref(service) Opt
      workflow_manager ref(person) Opt
      assign_relations_to_workflow_manager boolean Opt =true
      disabled boolean Opt =false
      instructions,note text Opt
      recurrence recurrence Opt
      ui_extension ref(ui_extension) Opt
      times_applied integer RO
      attachments attachments RO
      instructions_attachments,note_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    further: `
      prevent_request_completion boolean Opt =false`,
    shown: "id sourceID subject service created_at updated_at (recurrence)",
    filter: "id source sourceID subject disabled service created_at updated_at",
    sort: "id sourceID subject service created_at updated_at times_applied",
    order: "-id",
    views: "disabled enabled",
    below:
      "task_template_relations/owned task_templates/list|link phases/owned workflows/list automation_rules/list task_template_automation_rules/list",
  },
  automation_rule: {
    collection: "automation_rules",
    fields: `
      id integer RO
      name string(128) Req
      trigger string(128) Req
      position integer Opt
      disabled boolean Opt =false
      condition text Opt
      actions text Opt
      expressions text Opt
      description text Opt
      actions_html,description_html text RO
      generic string(128)|enum Opt
      request ref(request) Opt
      request_template ref(request_template) Opt
      task ref(task) Opt
      task_template ref(task_template) Opt
      workflow ref(workflow) Opt
      workflow_template ref(workflow_template) Opt
      project_task ref(project_task) Opt
      project_task_template ref(project_task_template) Opt
      project_template ref(project_template) Opt
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown:
      "id disabled name trigger position created_at updated_at generic request request_template task task_template workflow workflow_template project_task project_task_template project_template",
    filter: "id sourceID",
    folded: "sourceID",
    sort: "id position",
    order: "-id",
    views:
      "for_requests for_request_templates for_problems for_tasks for_task_templates for_workflows for_workflow_templates for_project_tasks for_project_task_templates for_project_templates for_cis for_risks for_scim_users for_scim_groups disabled enabled",
  },
  app_offering_automation_rule: {
    collection: "app_offering_automation_rules",
    further: `
      id integer RO
      app_offering ref(app_offering) Req
      name string(128) Req
      rulable_type string(128)|enum Req
      trigger string(128) Req
      position integer Opt
      condition,actions,expressions text Opt
      description text Opt
      actions_html,description_html text RO
      created_at,updated_at datetime RO`,
    shown: "id app_offering rulable_type name trigger position created_at updated_at",
    filter: "id app_offering created_at updated_at",
    sort: "id position",
    views: "for_requests for_tasks for_cis",
  },
};
