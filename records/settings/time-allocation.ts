import {
  boolean,
  byDefault,
  choice,
  enabledAndDisabled,
  fallsBackTo,
  id,
  opt,
  record,
  ref,
  req,
  ro,
  sources,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// Reference: records/time-and-effort.md, "Time allocation".
// biome-ignore format: a table keeps its columns
export const timeAllocation = record("time_allocation", {
  collection: "time_allocations",
  referenceFields: ["group", "localized_group", "localized_name"],
  fields: {
    id,
    ...sources,
    name:                 req(string(160)),
    group:                opt(string(255)),
    localized_name:       ro(string(255), fallsBackTo("name")),
    localized_group:      ro(string(255), fallsBackTo("group")),
    customer_category:    req(choice("time_allocation.customer_category"), byDefault("none")),
    service_category:     req(choice("time_allocation.service_category"), byDefault("none")),
    description_category: req(choice("time_allocation.description_category"), byDefault("hidden")),
    effort_class:         opt(ref("effort_class"), "preselected when time is registered on the allocation"),
    disabled:             opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "name", "localized_name", "group", "localized_group", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "created_at", "updated_at", "disabled"],
  sortable:      ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:          "name",
  views:         enabledAndDisabled,
  links: {
    customers:     { to: "organization", table: "time_allocation_customers" },
    organizations: { to: "organization", table: "time_allocation_organizations" },
    services:      { to: "service", table: "time_allocation_services" },
  },
});
