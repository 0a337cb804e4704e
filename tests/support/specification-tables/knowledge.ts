import type { Tables } from "./notation.ts";

export const knowledge: Tables = {
  knowledge_article: {
    collection: "knowledge_articles",
    fields: `
      id integer RO
      subject string(255) Req
      description text Req
      instructions text Req
      status enum Opt =not_validated
      service ref(service) Req
      template ref(knowledge_article_template) Opt
      locale language Opt =account.locale unselectable
      keywords string(2048) Opt
      archive_date date Opt
      end_users boolean Opt =true
      key_contacts boolean Opt =true
      covered_specialists boolean Opt =true
      internal_specialists boolean Opt =true
      times_applied integer RO
      times_viewed integer RO
      created_by,updated_by ref(person) RO
      custom_fields custom Opt
      attachments attachments RO
      custom_fields_attachments,description_attachments,instructions_attachments attachments WO
      source string(30) Opt
      sourceID string(128) Opt
      created_at,updated_at datetime RO`,
    shown: "id sourceID subject status service created_at updated_at (key_contacts) (end_users)",
    filter: "id source sourceID subject status service created_by created_at updated_at",
    sort: "id sourceID subject status created_at updated_at",
    order: "-id",
    views: "active archived managed_by_me",
    below: "requests/list service_instances/link translations/list",
    events: "create update",
  },
  knowledge_article_translation: {
    fields: `
      id integer RO
      locale language RO
      subject string(255) RO
      description,instructions text RO
      attachments attachments RO
      created_at,updated_at datetime RO`,
    shown: "id locale created_at updated_at",
    order: "-created_at",
  },
};
