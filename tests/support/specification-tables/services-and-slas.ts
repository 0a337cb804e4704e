import type { Tables } from "./notation.ts";

export const servicesAndSlas: Tables = {
  service: {
    collection: "services",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      provider ref(organization) Req
      disabled boolean Opt =false
      support_team ref(team) Opt
      first_line_team ref(team) Opt
      service_owner ref(person) Opt
      availability_manager,capacity_manager,change_manager,continuity_manager,knowledge_manager,problem_manager,release_manager ref(person) Opt
      survey ref(survey) Opt
      description text Opt
      keywords string(2048) Opt
      impact enum RO
      service_category ref(service_category) RO
      localized_name string(80) RO
      localized_description,localized_keywords text RO
      picture_uri string Opt
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,description_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name provider support_team created_at updated_at (localized_name)",
    filter: "id source sourceID name disabled provider support_team created_at updated_at",
    sort: "id sourceID name provider support_team created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below:
      "service_offerings/list service_instances/list slas/list request_templates/list workflow_templates/list risks/list",
    events: "create update",
  },
  service_category: {
    collection: "service_categories",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      description text Opt
      localized_name string(255) RO
      localized_description text RO
      services refs(service) RO
      picture_uri string Opt
      attachments attachments RO
      description_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at (localized_name)",
    filter: "id source sourceID name created_at updated_at",
    folded: "source sourceID name",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    below: "services/link",
  },
  service_instance: {
    collection: "service_instances",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      service ref(service) Req
      status enum Opt =being_prepared
      support_team ref(team) Opt =service.support_team
      first_line_team ref(team) Opt =service.first_line_team
      maintenance_window ref(calendar) Opt
      time_zone time_zone Opt
      impact enum RO
      localized_name string RO
      remarks text Opt
      picture_uri string Opt
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name status service support_team created_at updated_at",
    filter: "id source sourceID name status service support_team created_at updated_at",
    sort: "id sourceID name status service support_team created_at updated_at",
    order: "name",
    views: "active inactive",
    below: "cis/link child_service_instances/list parent_service_instances/list slas/list",
    events: "create update",
  },
  standard_service_request: {
    fields: `
      id integer RO
      request_template ref(request_template) Req
      response_target,resolution_target integer Opt
      response_target_in_days,resolution_target_in_days integer Opt
      response_target_best_effort,resolution_target_best_effort boolean Opt
      support_hours ref(calendar) Opt
      response_target_notification_scheme,resolution_target_notification_scheme ref(sla_notification_scheme) Opt
      sla_notification_scheme ref(sla_notification_scheme) Opt
      charge_type enum Opt
      rate decimal Opt
      rate_currency currency Opt
      service_offering ref(service_offering) RO
      created_at,updated_at datetime RO`,
    shown: "*",
    sort: "id created_at updated_at",
    order: "-id",
  },
  effort_class_rate: {
    fields: `
      id integer RO
      effort_class ref(effort_class) Req
      rate decimal Req
      rate_currency currency Req`,
  },
  rfc_type_rate: {
    fields: `
      id integer RO
      rfc_type ref(rfc_type) Req
      charge_type enum Opt
      rate decimal Opt
      rate_currency currency Opt`,
  },
  parent_service_instance: {
    fields: `
      id integer RO
      service_instance ref(service_instance) Req unselectable
      impact_relation enum Req unselectable`,
    shown: "id service_instance impact_relation",
    order: "service_instance",
  },
  effort_class_rate_identifier: {
    further: `
      id integer RO
      effort_class ref(effort_class) Req
      rateID string Req`,
  },
  standard_service_request_activity_identifier: {
    further: `
      id integer RO
      standard_service_request ref(standard_service_request) Req
      activityID string Req`,
  },
  rfc_type_activity_identifier: {
    further: `
      id integer RO
      rfc_type ref(rfc_type) Req
      activityID string Req`,
  },
  sla_coverage_group: {
    collection: "sla_coverage_groups",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      description text Opt
      search_phrase string(255) Opt
      disabled boolean Opt =false
      description_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID created_at updated_at (source) (name) (description) (search_phrase) (disabled)",
    filter: "id source sourceID created_at updated_at",
    sort: "id sourceID created_at updated_at",
    order: "created_at",
    views: "enabled disabled",
    below: "slas/link",
  },
  affected_sla: {
    collection: "affected_slas",
    fields: `
      id integer RO
      request ref(request) RO
      sla ref(sla) RO
      service_instance ref(service_instance) RO
      accountability enum RO
      impact enum RO
      standard_service_request ref(standard_service_request) RO
      support_team,first_line_team ref(team) RO
      supplier ref(organization) RO
      support_hours ref(calendar) RO
      service_hours ref(calendar) RO
      time_zone time_zone RO
      started_at datetime RO
      stopped_clock_at datetime RO
      stopped_clock_duration integer RO =0
      maximum_response_duration,maximum_resolution_duration integer RO
      maximum_response_duration_in_days,maximum_resolution_duration_in_days integer RO
      response_target_at datetime|target RO
      resolution_target_at datetime|target RO
      actual_response_at datetime RO
      actual_response_duration integer RO
      actual_resolution_at datetime RO
      actual_resolution_duration integer RO
      downtime_start_at,downtime_end_at datetime RO
      downtime_duration integer RO
      desired_completion_at datetime RO
      next_target_at target RO
      provider_not_accountable boolean RO
      provider_was_not_accountable boolean RO
      created_at,updated_at datetime RO`,
    shown: "*",
    filter: "id request sla service_instance next_target_at created_at updated_at",
    sort: "id request sla service_instance",
    order: "-id",
  },
  flsa: {
    collection: "flsas",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      status enum Opt =being_prepared
      provider ref(organization) Req
      customer ref(organization) Req
      customer_rep ref(person) Opt
      service_desk_team ref(team) Opt
      start_date date Opt
      expiry_date date Opt
      notice_date date Opt
      support_hours ref(calendar) Opt
      time_zone time_zone Opt
      pickup_target integer Opt
      pickups_within_target integer Opt
      support_chat_pickup_target integer Opt
      first_call_resolutions integer Opt
      service_desk_resolutions integer Opt
      service_desk_only_resolutions integer Opt
      rejected_solutions integer Opt
      charges,remarks,target_details text Opt
      attachments attachments RO
      charges_attachments,remarks_attachments,target_details_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "provider id sourceID name status created_at updated_at",
    filter: "provider id source sourceID name status created_at updated_at",
    sort: "provider id sourceID name status created_at updated_at",
    order: "name",
    views: "active inactive",
    below: "major_incident_managers/link invoices/list",
    events: "create update",
  },
  sla_notification_rule: {
    fields: `
      id integer RO
      threshold_percentage integer Req
      notify_current_assignee boolean Opt =false
      notify_service_owner boolean Opt =false
      notify_support_team_manager,notify_support_team_coordinator boolean Opt =false
      notify_first_line_team_manager,notify_first_line_team_coordinator boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "*",
  },
  waiting_for_customer_rule: {
    fields: `
      id integer RO
      nr_of_business_days integer Req
      created_at,updated_at datetime RO`,
  },
  broadcast_translation: {
    fields: `
      id integer RO
      locale language Opt
      message text Req
      attachments attachments RO
      message_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id locale created_at updated_at",
    filter: "id locale created_at updated_at",
    sort: "id locale message created_at updated_at",
    order: "-created_at",
  },
};
