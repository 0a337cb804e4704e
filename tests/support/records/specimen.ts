import {
  attachments,
  attachmentsOf,
  boolean,
  byDefault,
  choice,
  clear,
  currency,
  customFields,
  date,
  datetime,
  dayEnds,
  decimal,
  duration,
  enabledAndDisabled,
  float,
  hash,
  id,
  increment,
  integer,
  me,
  onCreateOnly,
  opt,
  type RecordType,
  record,
  ref,
  refs,
  req,
  ro,
  savedAs,
  set,
  sources,
  stamp,
  stateMachine,
  string,
  strings,
  target,
  text,
  timeOfDay,
  timeReaches,
  timestamps,
  timeZone,
  unselectable,
  where,
  wo,
} from "../../../records/vocabulary/index.ts";
import type { Change, ChangeOptions, TypeRules, Values } from "../../../server/engine/rules.ts";
import { readingRules, readingSpecimens } from "./reading-specimens.ts";

// Two record types that exist only in tests: one uses every word of the vocabulary, the other is its child.

const specimenLifecycle = stateMachine({
  states: ["registered", "assigned", "waiting_for", "completed"],
  initial: "registered",
  unlisted: "refused",
  moves: [
    { from: "registered", on: savedAs("assigned"), do: [stamp("assigned_at"), increment("assignment_count")] },
    {
      from: "assigned",
      on: savedAs("completed"),
      if: "has a note",
      do: [stamp("finished_at"), set("flag", true), "leave a mark"],
    },
    { from: "completed", on: savedAs("assigned"), do: [clear("finished_at"), increment("assignment_count")] },
    { from: "assigned", on: savedAs("waiting_for") },
    { from: "waiting_for", on: savedAs("assigned"), do: [increment("assignment_count")] },
    { from: "waiting_for", on: timeReaches("moment"), to: "assigned", do: [clear("moment")] },
    { from: "waiting_for", on: dayEnds("day", "zone"), to: "completed", do: ["leave a mark"] },
  ],
});

// biome-ignore format: a table keeps its columns
export const specimen = record("specimen", {
  collection: "specimens",
  routes: { createStatus: 200 },
  deletion: { deletable: true, archivable: { when: { field: "status", is: ["completed"], message: "is not valid" } } },
  storage: { grows: true },
  fields: {
    id,
    ...sources,
    subject:          req(string(20)),
    status:           opt(choice("task.status", ["registered", "assigned", "waiting_for", "completed"])),
    priority:         opt(choice("task.impact")),
    long:             opt(text),
    count:            opt(integer({ min: -5, max: 100 }), byDefault(7)),
    price:            opt(decimal),
    price_currency:   opt(currency),
    ratio:            opt(float),
    flag:             opt(boolean, byDefault(false)),
    maybe:            opt(boolean),
    day:              opt(date),
    moment:           opt(datetime),
    goal:             opt(target),
    length:           opt(duration),
    clock:            opt(timeOfDay),
    zone:             opt(timeZone),
    team:             opt(ref("team")),
    owner:            opt(ref("person"), onCreateOnly),
    teams:            opt(refs("team")),
    names:            opt(strings),
    custom_fields:    opt(customFields),
    extra:            opt(hash),
    secret:           opt(string(50), unselectable),
    disabled:         opt(boolean, byDefault(false)),
    assigned_at:      ro(datetime),
    finished_at:      ro(datetime),
    assignment_count: ro(integer()),
    mark:             ro(string(50)),
    attachments:      ro(attachments),
    long_attachments: wo(attachmentsOf("long")),
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "subject", "status", "priority", "team", "moment", "created_at", "updated_at"],
  filterable:    ["id", "source", "sourceID", "subject", "status", "priority", "count", "price", "ratio", "flag", "maybe", "day", "moment", "goal", "length", "clock", "zone", "team", "long", "created_at", "updated_at"],
  caseInsensitive: ["sourceID"],
  sortable:      ["id", "sourceID", "subject", "status", "priority", "count", "price", "day", "moment", "team", "created_at", "updated_at", "flag", "ratio"],
  sort:          "-id",
  views:         { ...enabledAndDisabled, mine: where({ owner: me }), urgent: where({ priority: { oneOf: ["high", "top"] } }) },
  unique:        [["secret"]],
  events:        ["create", "update", "delete", "status-changed", "team-changed"],
  states:     specimenLifecycle,
  links:         { helpers: { to: "person", table: "specimen_helpers" }, relatives: { to: "specimen", table: "specimen_relatives" } },
  children:      { spots: { of: "spot" } },
});

// biome-ignore format: a table keeps its columns
export const spot = record("spot", {
  collection: "spots",
  ownedBy: ["specimen"],
  fields: {
    id,
    specimen: ro(ref("specimen")),
    name:     req(string(10)),
    color:    opt(string(10)),
    ...timestamps,
  },
  defaultFields: ["id", "name", "color"],
  filterable: ["name"],
  sortable: ["name"],
  sort: "id",
});

/** All types that exist only in tests. */
export const specimens: readonly RecordType[] = [specimen, spot, ...readingSpecimens];

/** A change as hooks of test types see it: it can create and update test types, which aren't in the register. */
export type SpecimenChange = Omit<Change, "create" | "update"> & {
  create(type: string, values: Values, options?: ChangeOptions): Promise<number>;
  update(type: string, id: number, values: Values, options?: ChangeOptions): Promise<boolean>;
};
export const asSpecimenChange = (change: Change): SpecimenChange => change as unknown as SpecimenChange;

export const specimenRules: Record<string, TypeRules> = {
  ...readingRules,
  specimen: {
    guards: { "has a note": ({ after }) => after.long !== null },
    effects: {
      "leave a mark": ({ after }) => {
        after.mark = "done by a rule";
      },
    },
  },
};
