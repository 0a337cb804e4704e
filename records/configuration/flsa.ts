import { id, record, timestamps } from "../vocabulary/index.ts";

export const flsa = record("flsa", {
  collection: "flsas",
  fields: { id, ...timestamps },
});
