import { id, record, timestamps } from "../vocabulary/index.ts";

export const risk = record("risk", {
  collection: "risks",
  fields: { id, ...timestamps },
});
