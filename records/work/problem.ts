import { id, record, timestamps } from "../vocabulary/index.ts";

export const problem = record("problem", {
  collection: "problems",
  fields: { id, ...timestamps },
});
