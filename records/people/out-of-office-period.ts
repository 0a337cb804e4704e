import {
  datetime,
  id,
  laterThan,
  opt,
  record,
  ref,
  req,
  rule,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const outOfOfficePeriod = record("out_of_office_period", {
  collection: "out_of_office_periods",
  fields: {
    id,
    ...sources,
    person:            req(ref("person")),
    start_at:          req(datetime),
    end_at:            req(datetime, laterThan("start_at")),
    reason:            opt(string(80), "required if the time allocation requires a description"),
    approval_delegate: opt(ref("person"), "approves on behalf of the person"),
    time_allocation:   opt(ref("time_allocation"), "required if the person's organization has time allocations"),
    effort_class:      opt(ref("effort_class")),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "person", "start_at", "end_at", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "person", "start_at", "end_at", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "person_id", "start_at", "end_at", "created_at", "updated_at"],
  sort:          "start_at",
  views: {
    open:      rule("ends in the future"),
    completed: rule("ended in the past"),
  },
  events:        ["create", "update", "delete"],
  deletion:      { deletable: true, expires: { since: "end_at" } },
});
