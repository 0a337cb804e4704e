import {
  boolean,
  byDefault,
  choice,
  currency,
  decimal,
  duration,
  id,
  integer,
  opt,
  record,
  ref,
  req,
  ro,
  timestamps,
} from "../vocabulary/index.ts";

const days = integer({ min: 1, max: 999 });

// biome-ignore format: a table keeps its columns
export const standardServiceRequest = record("standard_service_request", {
  collection: "standard_service_requests",
  ownedBy: ["service_offering"],
  serialize: { referenceFields: ["request_template"] },
  fields: {
    id,
    request_template:                      req(ref("request_template"), "must belong to the service of the offering"),
    response_target:                       opt(duration),
    resolution_target:                     opt(duration),
    response_target_in_days:               opt(days, "business days"),
    resolution_target_in_days:             opt(days, "business days"),
    response_target_best_effort:           opt(boolean, byDefault(false), "no target"),
    resolution_target_best_effort:         opt(boolean, byDefault(false), "no target"),
    support_hours:                         opt(ref("calendar")),
    response_target_notification_scheme:   opt(ref("sla_notification_scheme")),
    resolution_target_notification_scheme: opt(ref("sla_notification_scheme")),
    sla_notification_scheme:               opt(ref("sla_notification_scheme"), "deprecated, use resolution_target_notification_scheme"),
    charge_type:                           opt(choice("service_offering.charge_type")),
    rate:                                  opt(decimal),
    rate_currency:                         opt(currency),
    service_offering:                      ro(ref("service_offering")),
    ...timestamps,
  },
  sortable: ["id", "created_at", "updated_at"],
  sort:     "-id",
  unique:   [["service_offering", "request_template"]],
});
