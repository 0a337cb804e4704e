import type { Tables } from "./notation.ts";

export const assets: Tables = {
  product: {
    collection: "products",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      brand string(128) Req
      model string(128) Req
      productID string(128) Opt
      category enum Req
      rule_set enum RO
      disabled boolean Opt =false
      service ref(service) Opt
      support_team ref(team) Opt
      supplier ref(organization) Opt
      financial_owner ref(organization) Opt
      depreciation_method enum Opt
      useful_life integer Opt
      rate integer Opt
      salvage_value decimal Opt
      salvage_value_currency currency Opt
      workflow_template ref(workflow_template) Opt
      workflow_manager ref(person) Opt
      recurrence recurrence Opt
      remarks text Opt
      picture_uri string Opt
      ui_extension ref(ui_extension) Opt
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name category support_team service created_at updated_at",
    filter: "id source sourceID name disabled category rule_set support_team service created_at updated_at",
    sort: "id sourceID name support_team service created_at updated_at",
    order: "name",
    views: "disabled enabled supported_by_my_teams",
    below: "cis/list",
    events: "create update",
  },
  product_category: {
    collection: "product_categories",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(255) Req
      group string(255) Req
      reference string(80) RO
      rule_set enum Req
      disabled boolean Opt =false
      localized_name string(255) RO
      localized_group text RO
      review_in_use_since_days integer Opt
      review_last_seen_days integer Opt
      review_end_of_support_days,review_license_expiry_days,review_warranty_expiry_days integer Opt
      picture_uri string Opt
      ui_extension ref(ui_extension) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID name group rule_set reference created_at updated_at (localized_group) (localized_name)",
    filter: "id source sourceID reference rule_set created_at updated_at disabled name",
    folded: "source sourceID reference name",
    sort: "id sourceID rule_set reference created_at updated_at",
    order: "name",
  },
  contract: {
    collection: "contracts",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      category enum Req =lease_contract
      status enum Req =scheduled_for_activation
      customer ref(organization) Req
      customer_rep ref(person) Opt
      supplier ref(organization) Opt
      supplier_contact ref(person) Opt
      start_date date Opt
      notice_date date Opt
      expiry_date date Opt
      time_zone time_zone Opt
      remarks text Opt
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name category status supplier created_at updated_at",
    filter: "id source sourceID name category status supplier created_at updated_at",
    sort: "id sourceID name category status supplier created_at updated_at",
    order: "name",
    views: "active inactive",
    below: "cis/link invoices/list",
    events: "create update",
  },
  invoice: {
    collection: "invoices",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      description string(255) Req
      invoice_date date Req
      invoice_nr string(128) Req
      supplier ref(organization) Req
      quantity decimal Req
      unit_price decimal Req
      amount decimal RO
      currency currency Opt =account.currency
      invoice_type enum RO
      workflow ref(workflow) Opt
      project ref(project) Opt
      sla ref(sla) Opt
      flsa ref(flsa) Opt
      contract ref(contract) Opt
      ci_ids refs(ci) WO
      service ref(service) Opt
      po_nr,financialID string(128) Opt
      amortize boolean Opt =false
      amortization_start,amortization_end date Opt
      depreciation_method enum Opt
      depreciation_start date Opt
      rate integer Opt
      salvage_value decimal Opt
      salvage_value_currency currency Opt
      useful_life integer Opt
      remarks text Opt
      remarks_attachments attachments WO
      attachments attachments RO
      created_at,updated_at datetime RO`,
    filter: "id source sourceID description invoice_date invoice_nr invoice_type po_nr created_at updated_at",
    sort: "id sourceID description invoice_date invoice_nr created_at updated_at",
    order: "-id",
    below: "cis/link",
  },
  short_url: {
    collection: "short_urls",
    further: `
      id integer RO
      ci ref(ci) Opt
      knowledge_article ref(knowledge_article) Opt
      request_template ref(request_template) Opt
      website_url string(2048) Opt
      plain_text text Opt
      tel,sms_tel string(128) Opt
      sms_body string(1024) Opt
      email_to string(1024) Opt
      email_subject string(255) Opt
      email_body string(4096) Opt
      map_address string(1024) Opt
      geo_latitude,geo_longitude float Opt
      data_type enum RO
      uri,short_url string RO
      created_at,updated_at datetime RO`,
    filter: "id created_at updated_at",
    sort: "id",
  },
  ci_relation: {
    fields: `
      id integer RO
      related_ci_id ref(ci) Req|WO
      ci ref(ci) RO|Req
      relation_type enum Req`,
    shown: "id ci relation_type",
  },
};
