import {
  aggregated,
  boolean,
  byDefault,
  choice,
  codeRef,
  eitherRef,
  enabledAndDisabled,
  extension,
  fallsBackTo,
  id,
  localDatetime,
  opt,
  type RecordType,
  record,
  recurrence,
  recurrenceWithout,
  ref,
  refs,
  req,
  ro,
  rule,
  sources,
  string,
  thisRecord,
  timestamps,
  unselectable,
  where,
} from "../../../records/vocabulary/index.ts";
import type { TypeRules } from "../../../server/engine/rules.ts";

// Record types that exist only in tests: together they use every read-related word that specimen.ts doesn't.

// biome-ignore format: a table keeps its columns
const kit = record("kit", {
  collection: "kits",
  serialize: { referenceFields: ["localized_name", "provider", "grade"] },
  fields: {
    id,
    ...sources,
    name:           req(string(40)),
    localized_name: ro(string(40), fallsBackTo("name")),
    provider:       opt(ref("organization")),
    grade:          opt(codeRef("risk_severity")),
    disabled:       opt(boolean, byDefault(false)),
    ...timestamps,
  },
  filterable: ["id", "name", "grade"],
  sortable:   ["id", "name", "grade"],
  sort:       "name",
  lists:      { samples: { of: "sample", where: where({ kit: thisRecord }) }, foreign_samples: { of: "sample", where: rule("is of another kit") } },
});

// biome-ignore format: a table keeps its columns
const tool = record("tool", {
  collection: "tools",
  storage: { sharesIdsWith: "kit" },
  fields: { id, name: req(string(40)), ...timestamps },
  filterable: ["id", "name"],
  sortable: ["id", "name"],
});

const starred = [
  ...["start_date", "end_date", "ical", "next_occurrence_at", "last_occurrence_at"],
  ...["last_occurrence_object", "last_occurrence_errors", "next_occurrence_errors"],
];

// biome-ignore format: a table keeps its columns
const sample = record("sample", {
  collection: "samples",
  storage: { grows: true },
  deletion: { deletable: true, archivable: {} },
  fields: {
    id,
    name:       req(string(40)),
    hidden:     opt(string(20), unselectable),
    category:   opt(codeRef("project_category")),
    kit:        opt(ref("kit")),
    kits:       opt(refs("kit")),
    means:      opt(eitherRef("kit", "tool")),
    form:       ro(extension("sample_form")),
    held_at:    opt(localDatetime),
    recurrence: opt(recurrence),
    rhythm:     opt(recurrenceWithout(...starred)),
    parts:      ro(aggregated("part")),
    disabled:   opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields: ["id", "name", "hidden", "category", "kit", "means", "held_at", "created_at", "updated_at"],
  filterable:    ["id", "name", "category", "kit", "means", "held_at"],
  sortable:      ["id", "name", "category", "kit", "means", "held_at"],
  views:         enabledAndDisabled,
  children:      { parts: { of: "part" } },
});

// biome-ignore format: a table keeps its columns
const part = record("part", {
  collection: "parts",
  ownedBy: ["sample"],
  routes: { hasOwnCollection: true },
  fields: {
    id,
    sample:   ro(ref("sample")),
    name:     req(string(40)),
    maker:    opt(ref("organization")),
    kit:      opt(ref("kit")),
    category: opt(codeRef("project_category")),
    size:     opt(choice("task.impact")),
    spare:    opt(boolean, byDefault(false)),
    held_at:  opt(localDatetime),
    ...timestamps,
  },
  defaultFields: ["id", "name", "maker", "kit", "category", "size", "spare", "held_at", "created_at"],
  filterable:    ["id", "name", "maker", "category"],
  sortable:      ["id", "name", "category"],
  views:         { spare: where({ spare: true }), needed: where({ spare: false }) },
});

export const readingSpecimens: readonly RecordType[] = [kit, tool, sample, part];

export const readingRules: Record<string, TypeRules> = {
  sample: {
    conditions: {
      "is of another kit": (_by, here) => ({
        key: "other kit",
        sql: (alias, next) => `${alias}.kit_id <> ${next()}`,
        values: [here ?? 0],
      }),
    },
  },
};
