import { id, record, timestamps } from "../vocabulary/index.ts";

export const customCollectionElement = record("custom_collection_element", {
  collection: "custom_collection_elements",
  fields: { id, ...timestamps },
});
