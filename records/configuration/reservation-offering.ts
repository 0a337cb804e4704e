import {
  boolean,
  byDefault,
  choice,
  enabledAndDisabled,
  id,
  integer,
  opt,
  record,
  ref,
  req,
  sources,
  string,
  strings,
  timestamps,
  timeZone,
} from "../vocabulary/index.ts";

// Its two relations are ordinary links: D-052.
const minutes = integer({ min: 0, unit: "minutes" });

// biome-ignore format: a table keeps its columns
export const reservationOffering = record("reservation_offering", {
  collection: "reservation_offerings",
  fields: {
    id,
    name:                 req(string(128)),
    service_instance:     req(ref("service_instance"), "the coverage required to use the offering"),
    calendar:             req(ref("calendar")),
    time_zone:            req(timeZone),
    initial_status:       req(choice("reservation.status", ["pending", "confirmed"])),
    min_duration:         req(minutes, "minutes"),
    max_duration:         req(minutes, "minutes"),
    step_duration:        req(minutes, "minutes"),
    min_advance_duration: opt(minutes, "minutes"),
    max_advance_duration: opt(minutes, "minutes"),
    preparation_duration: opt(minutes, "minutes"),
    multi_day:            opt(boolean, byDefault(false), "people enter the end instead of the duration"),
    allow_repeat:         opt(boolean, byDefault(false)),
    filters:              opt(strings),
    disabled:             opt(boolean, byDefault(false)),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "name", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "disabled", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "name", "created_at", "updated_at"],
  sort:          "name",
  views:         enabledAndDisabled,
  links: {
    cis:               { to: "ci", table: "reservation_offering_cis" },
    request_templates: { to: "request_template", table: "reservation_offering_request_templates" },
  },
});
