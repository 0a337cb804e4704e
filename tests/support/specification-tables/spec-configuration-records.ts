import type { Table, Tables } from "./notation.ts";

/** Three record types share this exact table. */
export const projectCategory: Table = {
  collection: "project_categories",
  further: `
    id integer RO
    source string(30) Opt
    sourceID string(128) Opt
    name string(128) Req
    description string(255) Opt
    information text Opt
    information_attachments attachments WO
    position integer Opt
    reference string(128) RO
    disabled boolean Opt =false
    attachments attachments RO
    created_at,updated_at datetime RO`,
  shown: "id sourceID reference name description position created_at updated_at",
  filter: "id source sourceID disabled reference name created_at updated_at",
  folded: "source sourceID reference name",
  sort: "id sourceID reference name position created_at updated_at",
  order: "id",
};

// Includes the reference's additions to these records.
export const specConfigurationRecords: Tables = {
  ci: {
    collection: "cis",
    fields: `
      id integer RO
      name string(160) Opt =product.name
      label string(160) Opt
      product ref(product) Req
      status enum Req
      action_status enum Opt
      rule_set enum RO
      ci_type enum RO
      software boolean RO =false
      alternate_names strings Opt
      assetID string(50) Opt
      serial_nr string(50) Opt
      systemID string(255) Opt
      service ref(service) Opt =product.service
      support_team ref(team) Opt =product.support_team
      supplier ref(organization) Opt =product.supplier
      financial_owner ref(organization) Opt =product.financial_owner
      site ref(site) Opt
      location string(128) Opt
      in_use_since date Opt
      warranty_expiry_date date Opt
      license_expiry_date date Opt
      license_type enum Opt
      nr_of_licenses,nr_of_processors,nr_of_cores integer Opt
      site_license,temporary_license boolean Opt
      remarks text Opt =product.remarks
      recurrence recurrence Opt =product.recurrence
      workflow_template ref(workflow_template) Opt =product.workflow_template
      workflow_manager ref(person) Opt =product.workflow_manager
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    further: `
      rate,useful_life integer Opt
      salvage_value,purchase_value decimal Opt
      salvage_value_currency,purchase_value_currency currency Opt
      depreciation_method enum Opt
      po_nr string(255) Opt`,
    shown: "id sourceID software label name status product rule_set support_team service created_at updated_at",
    filter:
      "id source sourceID label name status rule_set support_team created_at updated_at product service systemID assetID serial_nr site financial_owner",
    folded: "label serial_nr",
    sort: "id sourceID label name status support_team created_at updated_at",
    order: "label",
    views: "active inactive supported_by_my_teams",
    below:
      "users/link contracts/link service_instances/link ci_relations/owned requests/list problems/list tasks/list invoices/list",
    events: "create update",
  },
  sla: {
    collection: "slas",
    fields: `
      id integer RO
      name string(160) Req
      service_offering ref(service_offering) Req
      service_instance ref(service_instance) Opt
      customer ref(organization) Req
      customer_account ref(account) Opt
      customer_rep ref(person) Opt
      customer_representative_ids refs(person) WO
      service_level_manager ref(person) Opt
      status enum Opt =being_prepared
      coverage enum Opt
      start_date date Opt
      expiry_date date Opt
      notice_date date Opt
      agreementID string Opt
      activityID_low,activityID_medium,activityID_high,activityID_top,activityID_rfc,activityID_rfi,activityID_case string Opt
      use_knowledge_from_service_provider boolean Opt
      remarks text Opt
      attachments attachments RO
      remarks_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "service_offering id sourceID name status created_at updated_at",
    filter: "id source sourceID name status created_at updated_at service_offering service_instance",
    sort: "service_offering id sourceID name status created_at updated_at",
    order: "name",
    views: "active inactive",
    below:
      "customer_representatives/link organizations/link sites/link people/link skill_pools/link coverage_groups/link service_instances/owned effort_class_rateIDs/owned standard_service_request_activityIDs/owned rfc_type_activityIDs/owned invoices/list",
    events: "create update",
  },
  service_offering: {
    collection: "service_offerings",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      service ref(service) Opt
      status enum Opt =planned
      summary text Opt
      service_hours ref(calendar) Opt
      time_zone time_zone Opt
      availability float Opt
      reliability integer Opt
      recovery_time_objective,recovery_point_objective integer Opt
      report_frequency enum Opt =no_commitment
      review_frequency enum Opt =no_commitment
      responses_within_target,resolutions_within_target integer Opt
      response_target_low,response_target_medium,response_target_high,response_target_top,response_target_rfc,response_target_rfi,response_target_case integer Opt
      response_target_low_in_days,response_target_medium_in_days,response_target_high_in_days,response_target_top_in_days,response_target_rfc_in_days,response_target_rfi_in_days,response_target_case_in_days integer Opt
      resolution_target_low,resolution_target_medium,resolution_target_high,resolution_target_top,resolution_target_rfc,resolution_target_rfi,resolution_target_case integer Opt
      resolution_target_low_in_days,resolution_target_medium_in_days,resolution_target_high_in_days,resolution_target_top_in_days,resolution_target_rfc_in_days,resolution_target_rfi_in_days,resolution_target_case_in_days integer Opt
      support_hours_low,support_hours_medium,support_hours_high,support_hours_top,support_hours_rfc,support_hours_rfi,support_hours_case ref(calendar) Opt
      response_target_notification_scheme_low,response_target_notification_scheme_medium,response_target_notification_scheme_high,response_target_notification_scheme_top ref(sla_notification_scheme) Opt
      resolution_target_notification_scheme_low,resolution_target_notification_scheme_medium,resolution_target_notification_scheme_high,resolution_target_notification_scheme_top ref(sla_notification_scheme) Opt
      sla_notification_scheme_low,sla_notification_scheme_medium,sla_notification_scheme_high,sla_notification_scheme_top ref(sla_notification_scheme) Opt
      waiting_for_customer_follow_up ref(waiting_for_customer_follow_up) Opt
      default_effort_class ref(effort_class) Opt
      charge_type_low,charge_type_medium,charge_type_high,charge_type_top,charge_type_rfc,charge_type_rfi,charge_type_case enum Opt
      rate_low,rate_medium,rate_high,rate_top,rate_rfc,rate_rfi,rate_case decimal Opt
      rate_low_currency,rate_medium_currency,rate_high_currency,rate_top_currency,rate_rfc_currency,rate_rfi_currency,rate_case_currency currency Opt
      charges,continuity,limitations,penalties,performance,prerequisites,termination text Opt
      maximum_risk_of_data_loss,offline_backup_schedule,restore_duration text Opt
      attachments attachments RO
      charges_attachments,continuity_attachments,limitations_attachments,penalties_attachments,performance_attachments,prerequisites_attachments,summary_attachments,termination_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name status service created_at updated_at",
    filter: "id source sourceID name status service created_at updated_at",
    sort: "id sourceID name status service created_at updated_at",
    order: "name",
    views: "catalog portfolio",
    below: "standard_service_requests/owned effort_class_rates/owned rfc_type_rates/owned slas/list",
    events: "create update",
  },
  broadcast: {
    collection: "broadcasts",
    fields: `
      id integer RO
      message text Req
      message_type enum Req
      visibility enum Req =all_of_account
      start_at datetime Req =now
      end_at datetime Opt
      time_zone time_zone Req =caller.time_zone
      disabled boolean Opt =false
      customers refs(organization) Opt
      organizations refs(organization) Opt
      service_instances refs(service_instance) Opt
      sites refs(site) Opt
      skill_pools refs(skill_pool) Opt
      teams refs(team) Opt
      request ref(request) Opt
      translations refs(broadcast_translation) Opt
      remarks text Opt
      attachments attachments RO
      remarks_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID created_at updated_at",
    filter: "id sourceID created_at updated_at start_at end_at message_type",
    folded: "sourceID",
    sort: "id sourceID start_at end_at created_at updated_at",
    order: "-start_at",
    views: "active inactive",
    below: "translations/owned teams/link customers/link service_instances/link",
    events: "create update",
  },
  project_category: projectCategory,
  risk_severity: { ...projectCategory, collection: "risk_severities" },
  scrum_workspace: {
    collection: "scrum_workspaces",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      agile_board ref(agile_board) Req
      product_backlog ref(product_backlog) Req
      team ref(team) Req
      sprint_length integer Req
      description text Opt
      description_attachments attachments WO
      picture_uri string Opt
      nodeID string RO
      disabled boolean Opt =false
      attachments attachments RO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name created_at updated_at disabled",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
  },
  waiting_for_customer_follow_up: {
    collection: "waiting_for_customer_follow_ups",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      auto_complete boolean Opt =false
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID disabled name created_at updated_at",
    folded: "source sourceID name",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below: "waiting_for_customer_rules/owned",
  },
  knowledge_article_template: {
    collection: "knowledge_article_templates",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      subject string(255) Req
      service ref(service) Opt
      ui_extension ref(ui_extension) Opt
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject service created_at updated_at",
    filter: "id source sourceID subject disabled service created_at updated_at",
    sort: "id sourceID subject service created_at updated_at",
    order: "-created_at",
    views: "disabled enabled",
    below: "knowledge_articles/list service_instances/link",
  },
  sla_notification_scheme: {
    collection: "sla_notification_schemes",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID disabled name created_at updated_at",
    folded: "source sourceID name",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below: "sla_notification_rules/owned",
  },
  agile_board: {
    collection: "agile_boards",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      description text Opt
      description_attachments attachments WO
      manager ref(person) Opt
      picture_uri string Opt
      current_sprint ref(sprint) RO
      request_template ref(request_template) Opt
      service_instance ref(service_instance) Opt
      disabled boolean Opt =false
      attachments attachments RO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name created_at updated_at disabled",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below: "agile_board_columns/owned",
  },
  survey_response: {
    collection: "survey_responses",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      survey ref(survey) Req
      service ref(service) Req
      completed boolean Opt =false
      rating decimal Opt
      rating_calculation_json string|text RO
      responded_at datetime RO
      year,month integer RO
      disabled boolean Opt =false
      created_at,updated_at datetime RO`,
    shown: "id survey service year month rating created_at updated_at",
    filter: "id source sourceID created_at updated_at responded_at survey",
    sort: "id sourceID created_at updated_at",
    order: "id",
    below: "survey_answers/owned slas/list",
  },
};
