// Realistic texts for examples. Types without a row here use their own name.

// biome-ignore format: a table keeps its columns
export const displayNames: Readonly<Record<string, string>> = {
  account: "Widget IT", person: "Grace Hopper", team: "Service Desk", organization: "Widget International",
  site: "Amsterdam Office", service: "E-mail", service_instance: "E-mail Production", service_offering: "E-mail Gold",
  sla: "E-mail for Widget Sales", request: "Printer on the second floor is offline", request_template: "Password reset",
  problem: "Print queue stops after an update", workflow: "Replace the core switch", task: "Install the new switch",
  workflow_template: "Replace a switch", task_template: "Install a switch", project: "Move to the new office",
  project_task: "Order the furniture", release: "Spring release", risk: "Supplier goes out of business",
  ci: "switch-ams-01", product: "Campus switch", product_category: "Switch", calendar: "Weekdays 8 to 18",
  knowledge_article: "How to connect to the printer", agile_board: "Service Desk board", scrum_workspace: "Networks",
  product_backlog: "Networks backlog", sprint: "Sprint 12", survey: "Satisfaction with e-mail",
  survey_question: "How satisfied are you?", project_category: "Large", risk_severity: "High",
  sla_notification_scheme: "Warn the team early", waiting_for_customer_follow_up: "Remind twice, then complete",
  knowledge_article_template: "How-to article", broadcast: "E-mail is slow this morning", webhook: "Tell the chat room",
  invoice: "Maintenance of the campus switches",
};

/** Values by field name, or by type and field name; null leaves the field blank and omits it from bodies. */
// biome-ignore format: a table keeps its columns
export const exampleTexts: Readonly<Record<string, string | null>> = {
  source: "HR system", sourceID: "HR-4711", primary_email: "grace.hopper@widget.example", job_title: "Network engineer",
  location: "Room 2.14", employeeID: "4711", supportID: "S-4711", authenticationID: null, picture_uri: null,
  address: "Damrak 1", city: "Amsterdam", state: null, zip: "1012 LG", country: "NL", region: "Europe",
  financialID: "F-100", keywords: "mail, calendar", inbound_email_local_part: "desk", do_not_translate_languages: null,
  url: "https://desk.widget.example/a/widget-it", reference: "large", rating_calculation_json: null,
  uri: "https://hooks.widget.example/steward", mail_exceptions_to: "ops@widget.example",
  action: "update", audited: "person", archived: "person", trashed: "person",
  "contact.label": "work", "contact.telephone": "+31 20 555 0100", "contact.email": null, "contact.website": null,
  "workflow_template.recurrence": null, "request.status": "assigned", "problem.status": "assigned",
  "sla.coverage": "service_instances", "broadcast_translation.locale": "nl", "knowledge_article_translation.locale": "nl", "contact.chat": null, "address.label": "mailing", "survey_answer.text": null,
  "time_entry.organization": null, "time_entry.time_allocation": null, "time_entry.request": null,
  "time_entry.problem": null, "time_entry.task": null, "time_entry.project_task": null,
  "sprint_backlog_item.problem": null, "sprint_backlog_item.task": null, "sprint_backlog_item.project_task": null,
  // A rule is linked to one record only.
  trigger: "on status update", expressions: "done: status = completed", condition: "done", actions: "a1: add note 'Thank you.'",
  "automation_rule.generic": "request", "automation_rule.request": null,
  "automation_rule.request_template": null, "automation_rule.task": null, "automation_rule.task_template": null,
  "automation_rule.workflow": null, "automation_rule.workflow_template": null, "automation_rule.project_task": null,
  "automation_rule.project_task_template": null, "automation_rule.project_template": null,
  webhook_uri_template: "https://apps.widget.example/hooks/{account}",
  configuration_uri_template: "https://apps.widget.example/settings/{account}",
  "app_offering.reference": "widget-it_room_booking", "custom_collection.reference": "meeting_rooms",
  "custom_collection_element.reference": "room_2_14", "shop_article.reference": "laptop-14",
  // An invoice is about one thing, and a short address leads to one target.
  "invoice.invoice_nr": "2031-0417", "invoice.po_nr": "PO-2031-88", "invoice.invoice_type": "contract",
  "invoice.contract": "Maintenance of switches", "invoice.workflow": null, "invoice.project": null, "invoice.sla": null, "invoice.flsa": null, "invoice.cis": null,
  "short_url.ci": null, "short_url.knowledge_article": null, "short_url.request_template": null,
  "short_url.website_url": "https://intranet.widget.example/printers", "short_url.data_type": "url",
  "short_url.uri": "https://intranet.widget.example/printers", "short_url.short_url": "https://desk.widget.example/s/wqzkpfah",
  "short_url.plain_text": null, "short_url.tel": null, "short_url.sms_tel": null, "short_url.sms_body": null,
  "short_url.email_to": null, "short_url.email_subject": null, "short_url.email_body": null,
  "short_url.map_address": null, "short_url.geo_latitude": null, "short_url.geo_longitude": null,
};
