import {
  boolean,
  byDefault,
  choice,
  country,
  hiddenTimestamps,
  id,
  opt,
  record,
  ref,
  req,
  ro,
  string,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const address = record("address", {
  collection: "addresses",
  ownedBy: ["person", "organization"],
  display: "label",
  fields: {
    id,
    person:       ro(ref("person"), { internal: true }),
    organization: ro(ref("organization"), { internal: true }),
    label:        req(choice("address.label")),
    address:      opt(string(1024)),
    city:         opt(string(128)),
    state:        opt(string(30)),
    zip:          opt(string(20)),
    country:      opt(string(128), country),
    integration:  opt(boolean, byDefault(false)),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "label", "address", "city", "state", "zip", "country"],
  sort: "id",
});
