import { id, record, timestamps } from "../vocabulary/index.ts";

export const slaCoverageGroup = record("sla_coverage_group", {
  collection: "sla_coverage_groups",
  fields: { id, ...timestamps },
});
