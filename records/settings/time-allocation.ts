import { id, record, timestamps } from "../vocabulary/index.ts";

export const timeAllocation = record("time_allocation", {
  collection: "time_allocations",
  fields: { id, ...timestamps },
});
