import { archiveEntry } from "../../../records/journal/archive-entry.ts";
import { trashEntry } from "../../../records/journal/trash-entry.ts";
import { BadRequest } from "../../base/errors.ts";
import { rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";

// The filter of the archive and of the trash: records of these types.

const filterByType =
  (column: "archived" | "trashed") =>
  (value: string): Clause => {
    const names = value.split(",").map((word) => word.trim());
    if (names.some((name) => !/^[a-z0-9_]{1,80}$/.test(name))) throw new BadRequest("Invalid value for field 'type'");
    return {
      key: `${column} of`,
      sql: (alias, next) => `${alias}.${column} = ANY (${next()}::text[])`,
      values: [names],
    };
  };

export const archiveEntryRules = rulesFor(archiveEntry, { filters: { type: filterByType("archived") } });
export const trashEntryRules = rulesFor(trashEntry, { filters: { type: filterByType("trashed") } });
