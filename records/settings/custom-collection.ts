import { id, record, timestamps } from "../vocabulary/index.ts";

export const customCollection = record("custom_collection", {
  collection: "custom_collections",
  fields: { id, ...timestamps },
});
