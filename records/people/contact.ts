import {
  boolean,
  byDefault,
  choice,
  hiddenTimestamps,
  id,
  opt,
  record,
  ref,
  req,
  ro,
  string,
} from "../vocabulary/index.ts";

// One entry carries exactly one of the four addresses; server/rules/people/contact.ts knows which label allows which.
// biome-ignore format: a table keeps its columns
export const contact = record("contact", {
  collection: "contacts",
  ownedBy: ["person", "organization"],
  serialize: { omitBlankMembers: true },
  display: "label",
  fields: {
    id,
    person:       ro(ref("person"), { internal: true }),
    organization: ro(ref("organization"), { internal: true }),
    label:        req(choice("contact.label")),
    telephone:    opt(string(255)),
    email:        opt(string(255)),
    website:      opt(string(255)),
    chat:         opt(string(255), "only for people"),
    integration:  opt(boolean, byDefault(false)),
    verified:     ro(boolean, "only for people"),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "label", "telephone", "email", "website", "chat"],
  sort: "id",
});
