import type { Tables } from "./notation.ts";

export const peopleAndOrganizations: Tables = {
  person: {
    collection: "people",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      primary_email string(128) Req
      disabled boolean Opt =false
      organization ref(organization) Opt
      site ref(site) Opt
      manager ref(person) Opt
      job_title string(80) Opt
      location string(80) Opt
      employeeID string(128) Opt
      supportID string(50) Opt
      authenticationID string(128) Opt
      vip boolean Opt =false
      guest boolean Opt =false
      oauth_person_enablement boolean Opt =false
      locale language Opt =account.locale
      time_zone time_zone Opt =account.time_zone
      time_format_24h boolean Opt =account.time_format_24h
      work_hours ref(calendar) Opt
      auto_translation boolean Opt =false
      do_not_translate_languages string Opt
      send_email_notifications enum Opt
      show_notification_popup enum Opt
      exclude_team_notifications boolean Opt =false
      cost_per_hour decimal Opt
      cost_per_hour_currency currency Opt
      information text Opt
      picture_uri string Opt
      addresses aggregated(address) RO
      contacts aggregated(contact) RO
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,information_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name organization site manager created_at updated_at (primary_email)",
    filter:
      "id source sourceID name disabled organization site manager created_at updated_at employeeID primary_email supportID roles",
    folded: "primary_email supportID",
    sort: "id sourceID name organization site manager created_at updated_at",
    order: "name",
    views: "disabled enabled internal directory support_domain",
    below:
      "addresses/owned contacts/owned teams/link skill_pools/link cis/link out_of_office_periods/list sla_coverages/list service_instance_coverages/list service_coverages/list ci_coverages/list",
    events: "create update",
  },
  scim_user: {
    collection: "scim_users",
    fields: `
      id integer RO
      user_name string(512) RO
      external_id string(512) RO
      active,deleted boolean RO
      display_name string RO
      name,emails,phone_numbers,addresses hash RO
      title,user_type,locale,timezone string RO
      enterprise hash RO
      custom_fields custom RO
      ui_extension ref(ui_extension) RO
      person ref(person) RO
      last_error text RO
      processed_at,created_at,updated_at datetime RO`,
    shown: "id user_name external_id active deleted display_name person last_error processed_at created_at updated_at",
    filter: "id user_name external_id active person updated_at",
    folded: "user_name",
    sort: "id updated_at",
    order: "id",
    views: "active inactive failed",
    below: "groups/list",
  },
  scim_group: {
    collection: "scim_groups",
    fields: `
      id integer RO
      external_id string(512) RO
      display_name string(512) RO
      group_type string RO
      classification enum Opt =unclassified
      organization ref(organization) Opt
      site ref(site) Opt
      members_count integer RO
      last_error text RO
      processed_at,created_at,updated_at datetime RO`,
    shown:
      "id external_id display_name group_type classification organization site members_count last_error processed_at created_at updated_at",
    filter: "id external_id display_name classification updated_at",
    folded: "display_name",
    sort: "id updated_at",
    order: "id",
    views: "unclassified organization site",
    below: "members/list",
  },
  address: {
    fields: `
      id integer RO
      label enum Req
      address string(1024) Opt
      city string(128) Opt
      state string(30) Opt
      zip string(20) Opt
      country string(128) Opt
      integration boolean Opt =false`,
    shown: "id label address city state zip country",
  },
  contact: {
    fields: `
      id integer RO
      label enum Req
      telephone string(255) Opt
      email string(255) Opt
      website string(255) Opt
      chat string(255) Opt
      integration boolean Opt =false
      verified boolean RO`,
    shown: "id label telephone email website chat",
  },
  team: {
    collection: "teams",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      disabled boolean Opt =false
      coordinator ref(person) Opt
      manager ref(person) Opt
      configuration_manager ref(person) Opt
      auto_assign boolean Opt =false
      agile_board ref(agile_board) Opt
      scrum_workspace ref(scrum_workspace) RO
      inbound_email_local_part string(64) Opt
      work_hours ref(calendar) Opt
      time_zone time_zone Opt
      remarks text Opt
      picture_uri string Opt
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name created_at updated_at disabled",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled",
    below: "members/link service_instances/list",
    events: "create update",
  },
  organization: {
    collection: "organizations",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(128) Req
      disabled boolean Opt =false
      parent ref(organization) Opt
      manager ref(person) Opt
      substitute ref(person) Opt
      business_unit boolean Opt =false
      business_unit_organization ref(organization) RO
      region string(128) Opt
      end_user_privacy boolean Opt =false
      financialID string(128) Opt
      order_template ref(request_template) Opt
      remarks text Opt
      picture_uri string Opt
      addresses aggregated(address) RO
      contacts aggregated(contact) RO
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name parent manager created_at updated_at",
    filter: "id source sourceID name disabled created_at updated_at financialID parent",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled external internal trusted directory support_domain managed_by_me",
    below:
      "addresses/owned contacts/owned children/list people/list contracts/list slas/list risks/list time_allocations/link",
    events: "create update",
  },
  site: {
    collection: "sites",
    fields: `
      id integer RO
      source string(30) Opt
      sourceID string(128) Opt
      name string(80) Req
      disabled boolean Opt =false
      address string(1024) Opt
      city string(80) Opt
      state string(30) Opt
      zip string(20) Opt
      country string(128) Opt
      time_zone time_zone Opt
      integration boolean Opt =false
      remarks text Opt
      picture_uri string Opt
      ui_extension ref(ui_extension) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,remarks_attachments attachments WO
      created_at,updated_at datetime RO`,
    shown: "id sourceID name created_at updated_at",
    filter: "id source sourceID name disabled created_at updated_at",
    sort: "id sourceID name created_at updated_at",
    order: "name",
    views: "disabled enabled directory support_domain",
    below: "people/list slas/list",
  },
};
