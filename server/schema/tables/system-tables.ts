import type { Schema } from "./model.ts";
import { accessTables } from "./system-tables/access-tables.ts";
import { dataTables } from "./system-tables/data-tables.ts";
import { developerTables } from "./system-tables/developer-tables.ts";
import { messageTables } from "./system-tables/message-tables.ts";
import { providerTables } from "./system-tables/provider-tables.ts";
import { scimTables } from "./system-tables/scim-tables.ts";
import { workTables } from "./system-tables/work-tables.ts";

// Tables that are no record types.

const parts: readonly Schema[] = [
  ...[accessTables, providerTables, developerTables, messageTables, workTables, dataTables],
  scimTables,
];

export const systemTables: Schema = {
  tables: parts.flatMap(({ tables }) => tables),
  extras: parts.flatMap(({ extras }) => extras),
};
