import type { Tables } from "./notation.ts";

export const requests: Tables = {
  note: {
    collection: "notes",
    fields: `
      id integer RO
      text text Req
      person ref(person) Req|RO
      internal boolean Opt =false
      account ref(account) RO
      internal_account ref(account) RO unselectable
      medium enum RO =default
      inbound_email ref(inbound_email) RO
      request ref(request) RO
      problem ref(problem) RO
      release ref(release) RO
      workflow ref(workflow) RO
      task ref(task) RO
      project ref(project) RO
      project_task ref(project_task) RO
      risk ref(risk) RO
      suppress_note_added_notifications boolean WO =false unselectable
      attachments attachments RO|Opt
      created_at datetime RO`,
    shown: "*",
    filter: "id person created_at medium",
    sort: "id person_id created_at",
    order: "-id",
    views: "public internal",
    below: "note_reactions/list",
  },
  note_reaction: {
    collection: "note_reactions",
    further: `
      id integer RO
      note_id ref(note) Req
      reaction string|enum Req
      person ref(person) RO`,
  },
  watch: {
    fields: `
      id integer RO
      person ref(person) Req
      added_by ref(person) RO
      account ref(account) RO
      created_at,updated_at datetime RO`,
    shown: "*",
  },
  tag: {
    further: `
      id integer RO
      name string Req`,
  },
  inbound_email: {
    further: `
      id integer RO
      created_at datetime RO
      message_id,from,to,cc,subject string RO
      body_start string(255) RO
      source_uri uri RO
      note ref(note) RO
      failure_reason string RO`,
    shown: "*",
    sort: "id created_at",
    order: "id",
  },
  note_attachment: {
    further: `
      id integer RO
      created_at datetime RO
      name,key string RO
      uri uri RO
      inline boolean RO
      size integer RO
      note ref(note) RO`,
    shown: "*",
    sort: "id created_at",
    order: "id",
  },
  request_template: {
    collection: "request_templates",
    fields: `
      id integer RO
      subject string(255) Req
      localized_subject string(255) RO
      description text Opt
      action_type enum Opt
      category enum Opt
      impact enum Opt
      status enum Opt
      completion_reason enum Opt
      rfc_type enum Opt
      service ref(service) Opt
      team ref(team) Opt
      member ref(person) Opt
      supplier ref(organization) Opt
      ci ref(ci) Opt
      workflow_template ref(workflow_template) Opt
      workflow_manager ref(person) Opt
      assign_after_workflow_completion boolean Opt =false
      assign_to_self boolean Opt =false
      asset_selection boolean Opt =false
      copy_subject_to_requests boolean Opt =true
      translate_subject boolean Opt =true
      end_users,specialists boolean Opt =true
      disabled boolean Opt =false
      urgent boolean Opt =false
      desired_completion duration Opt
      support_hours ref(calendar) Opt
      time_zone time_zone Opt
      planned_effort integer(600000) Opt
      effort_class ref(effort_class) Opt
      instructions text Opt
      registration_hints text Opt
      note text Opt
      keywords string(2048) Opt
      localized_keywords,localized_note,localized_registration_hints text RO
      ui_extension ref(ui_extension) Opt
      times_applied integer RO
      attachments attachments RO
      instructions_attachments,note_attachments,registration_hints_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject category impact service created_at updated_at",
    filter: "id source sourceID disabled subject category impact service created_at updated_at workflow_template",
    sort: "id sourceID subject category impact service created_at updated_at times_applied",
    order: "-id",
    views: "disabled enabled",
    below: "requests/list automation_rules/list reservation_offerings/list",
  },
};
