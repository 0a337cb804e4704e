import { register } from "../../../records/index.ts";
import type { Configuration } from "../../base/configuration.ts";
import { listGrowingTables } from "../../engine/schema/placement.ts";
import type { Layout } from "../../schema/layout/partition-tables.ts";

export const buildLayout = ({ partitions }: Pick<Configuration, "partitions">): Layout => ({
  tables: listGrowingTables(register),
  partitions,
});

/** A statement that is not limited to one account locks every partition of its tables, and their indexes. */
export const locksForPartitions = "1024";
