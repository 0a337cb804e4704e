import { id, record, timestamps } from "../vocabulary/index.ts";

export const outOfOfficePeriod = record("out_of_office_period", {
  collection: "out_of_office_periods",
  fields: { id, ...timestamps },
});
