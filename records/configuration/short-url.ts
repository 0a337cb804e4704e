import {
  choiceAmong,
  computed,
  derived,
  float,
  id,
  opt,
  record,
  ref,
  ro,
  string,
  text,
  timestamps,
  uri,
} from "../vocabulary/index.ts";

// CO39. A short address leads to one target; server/rules/asset/short-url.ts says which fields make one.
const dataTypes = [
  "ci",
  "request_template",
  "knowledge_article",
  "url",
  "mailto",
  "tel",
  "sms",
  "map",
  "text",
] as const;

// biome-ignore format: a table keeps its columns
export const shortUrl = record("short_url", {
  collection: "short_urls",
  fields: {
    id,
    ci:                opt(ref("ci")),
    knowledge_article: opt(ref("knowledge_article")),
    request_template:  opt(ref("request_template")),
    website_url:       opt(string(2048), uri),
    plain_text:        opt(text),
    tel:               opt(string(128)),
    sms_tel:           opt(string(128)),
    sms_body:          opt(string(1024), "only with sms_tel"),
    email_to:          opt(string(1024), "email addresses, comma-separated"),
    email_subject:     opt(string(255), "only with email_to"),
    email_body:        opt(string(4096), "only with email_to"),
    map_address:       opt(string(1024)),
    geo_latitude:      opt(float, "together with geo_longitude"),
    geo_longitude:     opt(float, "together with geo_latitude"),
    data_type:         ro(choiceAmong("short_url.data_type", dataTypes), derived({ rule: "kind of its target" })),
    uri:               ro(string(), computed("where it leads")),
    letters:           ro(string(8), { internal: true, indexed: true }),
    short_url:         ro(string(), computed("address with its letters")),
    ...timestamps,
  },
  defaultFields: ["id", "data_type", "uri", "short_url", "created_at", "updated_at"],
  filterable:    ["id", "created_at", "updated_at"],
  sortable:      ["id"],
  sort:          "id",
});
