import {
  acrossAccounts,
  boolean,
  byDefault,
  choice,
  datetime,
  id,
  laterThan,
  not,
  oneOf,
  opt,
  record,
  recurrence,
  ref,
  req,
  ro,
  selectableInVain,
  sources,
  stateMachine,
  string,
  timeReaches,
  timestamps,
  where,
  wo,
} from "../vocabulary/index.ts";

// Of the enumeration, prototype and conflicting are not accepted.
const states = ["provisional", "pending", "confirmed", "being_prepared", "active", "canceled", "ended"] as const;

// biome-ignore format: a table keeps its columns
const reservationStates = stateMachine({
  states,
  initial: "confirmed",
  unlisted: "allowed",
  moves: [
    { from: "confirmed",                     on: timeReaches("preparation_start_at"), to: "being_prepared" },
    { from: ["confirmed", "being_prepared"], on: timeReaches("start_at"),             to: "active" },
    { from: "active",                        on: timeReaches("end_at"),               to: "ended" },
  ],
});

// biome-ignore format: a table keeps its columns
export const reservation = record("reservation", {
  collection: "reservations",
  storage: { placement: "account" },
  fields: {
    id,
    name:                 req(string(128)),
    ci:                   req(ref("ci")),
    person:               req(ref("person"), "the person the reservation is for"),
    start_at:             req(datetime),
    end_at:               req(datetime, laterThan("start_at")),
    preparation_start_at: ro(datetime, "start_at minus the preparation_duration of the offering"),
    status:               req(choice("reservation.status", states), byDefault("confirmed")),
    reservation_offering: opt(ref("reservation_offering")),
    request:              opt(ref("request"), acrossAccounts, "the request that created it"),
    recurrence:           opt(recurrence),
    only_this_occurrence: wo(boolean, byDefault(false), selectableInVain, "false changes this and all future occurrences"),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "name", "status", "person", "start_at", "end_at", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "name", "status", "start_at", "end_at", "created_at", "updated_at"],
  sortable:      ["id", "sourceID", "name", "start_at", "end_at", "created_at", "updated_at"],
  sort:          "start_at",
  views: {
    open:      where({ status: not("ended", "canceled") }),
    completed: where({ status: oneOf("ended", "canceled") }),
  },
  states:     reservationStates,
});
