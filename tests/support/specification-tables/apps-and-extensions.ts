import type { Tables } from "./notation.ts";

export const appsAndExtensions: Tables = {
  app_offering: {
    collection: "app_offerings",
    fields: `
      id integer RO
      nodeID string RO
      name string(128) Req
      reference string(161) Req|Opt
      card_description string(255) Opt
      description,features,compliance text Opt
      service_instance ref(service_instance) Req
      webhook_uri_template string(255) Req
      configuration_uri_template string(255) Opt
      policy_jwt_alg enum Req
      policy_jwt_audience string(2048) Opt
      policy_jwt_claim_expires_in duration Opt
      openid_connect_discovery boolean Opt =false
      requires_enabled_oauth_person boolean Opt =false
      ui_extension_version ref(ui_extension_version) Opt
      disabled boolean Opt =false
      picture_uri string Opt
      attachments attachments RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    further: `
      description_attachments,features_attachments,compliance_attachments attachments WO`,
    shown:
      "created_at id name nodeID policy_jwt_alg policy_jwt_audience policy_jwt_claim_expires_in reference service_instance sourceID updated_at webhook_uri_template",
    filter: "id source sourceID reference name created_at updated_at disabled",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "latest_internal latest_published all_latest_published consumed",
    below: "scopes/list app_instances/list automation_rules/list",
  },
  app_offering_scope: {
    further: `
      id integer RO
      effect enum RO|Opt =allow
      grant_type enum RO|Opt
      actions,conditions strings RO|Opt
      created_at,updated_at datetime RO`,
    shown: "id effect actions",
  },
  app_instance: {
    collection: "app_instances",
    fields: `
      id integer RO
      app_offering ref(app_offering) Req
      customer_account ref(account) RO
      customer_representative ref(person) Opt
      disabled boolean Opt =false
      enabled_by_customer boolean Opt
      suspended boolean Opt =false
      suspension_comment text Opt
      webhook ref(webhook) Opt
      webhook_policy ref(webhook_policy) Opt
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "created_at id nodeID updated_at disabled customer_account app_offering enabled_by_customer",
    filter: "id created_at updated_at disabled",
    sort: "id created_at updated_at",
    views: "enabled disabled",
    below: "automation_rules/list",
  },
  ui_extension: {
    collection: "ui_extensions",
    fields: `
      id integer RO
      name string(190) Req
      category enum Req
      title string Opt
      description text Opt
      html,css,javascript text Opt
      form_definition_json text Opt
      compiled_css,localized_html text RO
      phrases strings RO
      activate boolean Opt =false
      active_version,prepared_version ref(ui_extension_version) RO
      hide_note boolean Opt =false
      show_on_complete boolean Opt =false
      dark_mode_safe boolean Opt =false
      disabled boolean Opt =false
      created_by,updated_by ref(person) RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    further: `
      localized_title string RO`,
    shown: "active_version created_at disabled id sourceID name prepared_version updated_at",
    filter: "id source sourceID name created_at updated_at disabled",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    below: "versions/list",
  },
  ui_extension_version: {
    further: `
      id integer RO
      name string RO
      version_nr integer RO
      status enum RO =being_prepared
      activated_at,archived_at datetime RO
      html,css,javascript,compiled_css,localized_html text RO
      form_definition,form_definition_react text|hash RO
      phrases strings RO
      use_designer,hide_note,dark_mode_safe boolean RO
      view_audit_path string RO
      ui_extension ref(ui_extension) RO
      created_at,updated_at datetime RO`,
    shown: "activated_at archived_at created_at id name status updated_at version_nr",
    sort: "id version_nr status created_at updated_at",
    order: "id",
  },
  pdf_design: {
    collection: "pdf_designs",
    further: `
      id integer RO
      name string(128) Req
      category enum Req
      description text Opt
      description_attachments attachments WO
      html,css text Opt
      disabled boolean Opt =false
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID category created_at name disabled updated_at",
    filter: "id source sourceID name disabled category",
    sort: "id sourceID name created_at updated_at",
    order: "created_at",
  },
  rfc_type: {
    collection: "rfc_types",
    further: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      information text Opt
      information_attachments attachments WO
      position integer Opt
      reference string(128) RO
      disabled boolean Opt =false
      attachments attachments RO
      created_at,updated_at datetime RO`,
    shown: "id sourceID reference name position created_at updated_at",
    filter: "id sourceID reference name disabled created_at updated_at",
    folded: "sourceID reference name",
    sort: "id sourceID reference name position created_at updated_at",
    order: "id",
  },
  custom_collection: {
    collection: "custom_collections",
    further: `
      id integer RO
      name string(128) Req
      reference string(128) Opt
      description text Opt
      description_attachments attachments WO
      picture_uri string Opt
      ui_extension ref(ui_extension) Opt
      disabled boolean Opt =false
      attachments attachments RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID reference name description created_at updated_at",
    filter: "id source sourceID disabled reference created_at updated_at",
    folded: "source sourceID reference",
    sort: "id sourceID reference created_at updated_at",
    order: "id",
    views: "enabled disabled",
    below: "collection_elements/list",
  },
  custom_collection_element: {
    collection: "custom_collection_elements",
    further: `
      id integer RO
      custom_collection enum Req
      name string(128) Req
      reference string(128) Opt
      description string(255) Opt
      information text Opt
      information_attachments attachments WO
      localized_name string(80) RO
      localized_description text RO
      picture_uri string Opt
      disabled boolean Opt =false
      custom_fields custom Opt
      attachments attachments RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID custom_collection reference name description created_at updated_at",
    filter: "id custom_collection source sourceID disabled reference name created_at updated_at",
    sort: "id sourceID custom_collection reference created_at updated_at",
    order: "id",
    views: "enabled disabled",
  },
  reservation: {
    collection: "reservations",
    fields: `
      id integer RO
      name string(128) Req
      ci ref(ci) Req
      person ref(person) Req
      start_at,end_at datetime Req
      preparation_start_at datetime RO
      status enum Req =confirmed
      reservation_offering ref(reservation_offering) Opt
      request ref(request) Opt
      recurrence recurrence Opt
      only_this_occurrence boolean WO =false
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID name status person start_at end_at created_at updated_at",
    filter: "id source sourceID name status start_at end_at created_at updated_at",
    sort: "id sourceID name start_at end_at created_at updated_at",
    order: "start_at",
    views: "open completed",
  },
  reservation_offering: {
    collection: "reservation_offerings",
    further: `
      id integer RO
      name string(128) Req
      service_instance ref(service_instance) Req
      calendar ref(calendar) Req
      time_zone time_zone Req
      initial_status enum Req
      min_duration,max_duration,step_duration integer Req
      min_advance_duration,max_advance_duration,preparation_duration integer Opt
      multi_day,allow_repeat boolean Opt =false
      filters strings Opt
      disabled boolean Opt =false
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name disabled created_at updated_at",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "enabled disabled",
    below: "cis/list request_templates/list",
  },
  shop_article: {
    collection: "shop_articles",
    further: `
      id integer RO
      reference string(128) Req
      name string(64) Req
      short_description string(200) Opt
      full_description text Opt
      full_description_attachments attachments WO
      localized_name,localized_short_description string RO
      localized_full_description text RO
      category ref(shop_article_category) Opt
      product ref(product) Opt
      fulfillment_template ref(request_template) Req
      calendar ref(calendar) Req
      time_zone time_zone Req
      delivery_duration integer Req
      max_quantity integer Opt =1
      price,recurring_price decimal Opt
      price_currency,recurring_price_currency currency Opt
      recurring_period enum Opt
      requires_shipping,is_bundle boolean Opt =false
      start_at,end_at datetime Opt
      ui_extension ref(ui_extension) Opt
      picture_uri string Opt
      disabled boolean Opt =false
      attachments attachments RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID reference name created_at updated_at",
    filter: "id source sourceID reference name disabled created_at updated_at",
    sort: "id sourceID reference name created_at updated_at",
    order: "name",
    views: "enabled disabled on_offer",
    below: "service_offerings/list",
  },
  shop_article_category: {
    collection: "shop_article_categories",
    further: `
      id integer RO
      name string(128) Req
      parent ref(shop_article_category) Opt
      short_description string(200) Opt
      full_description text Opt
      full_description_attachments attachments WO
      localized_name,localized_short_description string RO
      localized_full_description text RO
      picture_uri string Opt
      attachments attachments RO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name created_at updated_at",
    sort: "id source sourceID name created_at updated_at",
    order: "created_at",
    views: "directory support_domain",
  },
  shop_order_line: {
    collection: "shop_order_lines",
    fields: `
      id integer RO
      shop_article_id integer WO|Req
      shop_article string|code RO|Req
      name string(128) RO
      quantity decimal Req =1
      requested_by ref(person) RO
      requested_for ref(person) Opt =caller
      status enum RO
      order ref(request) RO
      fulfillment_request ref(request) RO
      fulfillment_task ref(task) RO
      fulfillment_template ref(request_template) RO
      price,recurring_price,total_price,total_recurring_price,provider_price,provider_recurring_price,provider_total_price,provider_total_recurring_price decimal RO
      price_currency,recurring_price_currency,provider_price_currency,provider_recurring_price_currency currency RO
      recurring_period,provider_recurring_period enum RO
      ordered_at,provider_ordered_at,completed_at datetime RO
      delivery_address string(1024) RO
      delivery_city string(128) RO
      delivery_state string(30) RO
      delivery_zip string(20) RO
      delivery_country string(128) RO
      custom_fields custom Opt
      source string(30) RO
      sourceID string(128) RO
      created_at,updated_at datetime RO`,
    shown: "id sourceID requested_for shop_article name status quantity ordered_at completed_at created_at updated_at",
    filter: "id source sourceID status completed_at created_at updated_at",
    sort: "id sourceID status completed_at created_at updated_at",
    order: "id",
    views: "open completed canceled personal",
  },
};
