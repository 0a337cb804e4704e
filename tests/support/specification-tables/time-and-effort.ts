import type { Tables } from "./notation.ts";

export const timeAndEffort: Tables = {
  skill_pool: {
    collection: "skill_pools",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      disabled boolean Opt =false
      manager ref(person) Opt
      cost_per_hour decimal Opt
      cost_per_hour_currency currency Opt
      remarks text Opt
      picture_uri string Opt
      attachments attachments RO
      remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name disabled created_at updated_at",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below: "members/link effort_classes/link",
  },
  effort_class: {
    collection: "effort_classes",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      position integer Opt
      cost_multiplier decimal Opt =1
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id sourceID name position cost_multiplier created_at updated_at",
    filter: "id source sourceID disabled name created_at updated_at",
    folded: "source sourceID name",
    sort: "id sourceID name position created_at updated_at",
    order: "position",
    views: "enabled disabled",
    below: "skill_pools/link timesheet_settings/link service_offerings/link",
  },
  time_entry: {
    collection: "time_entries",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      date date Req
      time_spent integer Req
      person ref(person) Req
      organization ref(organization) Opt
      time_allocation ref(time_allocation) Opt
      request ref(request) Opt unselectable
      problem ref(problem) Opt unselectable
      task ref(task) Opt unselectable
      project_task ref(project_task) Opt unselectable
      service ref(service) Req|Opt
      customer ref(organization) Req|Opt
      service_instance ref(service_instance) RO
      sla ref(sla) RO
      effort_class ref(effort_class) Opt
      description string(80) Req|Opt
      started_at datetime Opt
      correction boolean Opt =false
      deleted boolean Opt =false
      note_id integer Opt
      note_nodeID string RO unselectable
      cost decimal RO
      cost_currency currency Opt
      charge_type enum RO
      charge_rate decimal RO
      charge decimal RO
      charge_currency currency RO
      agreementID,activityID,rateID string RO
      created_at,updated_at datetime RO`,
    shown:
      "id date time_spent person request problem task project_task time_allocation service customer organization description deleted created_at updated_at",
    filter: "id source sourceID date created_at updated_at deleted person",
    sort: "id date created_at updated_at",
    order: "id",
    events: "create update delete",
  },
  time_allocation: {
    collection: "time_allocations",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(160) Req
      group string(255) Opt
      localized_name,localized_group string(255) RO
      customer_category enum Req =none
      service_category enum Req =none
      description_category enum Req =hidden
      effort_class ref(effort_class) Opt
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id sourceID name localized_name group localized_group created_at updated_at",
    filter: "id source sourceID name created_at updated_at disabled",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "enabled disabled",
    below: "customers/link organizations/link services/link",
  },
  timesheet_setting: {
    collection: "timesheet_settings",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(160) Req
      unit enum Req =hours_and_minutes
      time_increment integer Opt =60
      percentage_increment enum Opt =12.5
      workday integer Opt =480
      workweek integer Opt =2400
      allow_workday_overtime,allow_workweek_overtime boolean Opt =true
      allocation_time_tracking boolean Opt =true
      assignment_time_tracking boolean Opt =true
      notify_on_incomplete boolean Opt =true
      require_note boolean Opt =false
      request_effort_class,problem_effort_class,task_effort_class,project_task_effort_class,time_allocation_effort_class ref(effort_class) Opt
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name created_at updated_at disabled",
    folded: "source sourceID name",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "enabled disabled",
    below: "organizations/link effort_classes/link",
  },
  out_of_office_period: {
    collection: "out_of_office_periods",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      person ref(person) Req
      start_at,end_at datetime Req
      reason string(80) Opt
      approval_delegate ref(person) Opt
      time_allocation ref(time_allocation) Opt
      effort_class ref(effort_class) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID person start_at end_at created_at updated_at",
    filter: "id source sourceID person start_at end_at created_at updated_at",
    sort: "id sourceID person_id start_at end_at created_at updated_at",
    order: "start_at",
    views: "open completed",
    events: "create update delete",
  },
};
