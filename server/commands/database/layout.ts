import { register } from "../../../records/index.ts";
import type { Configuration } from "../../base/configuration.ts";
import { listGrowingTables } from "../../engine/schema/placement.ts";
import type { Layout } from "../../storage/layout/partition-tables.ts";

export const buildLayout = ({ partitions }: Pick<Configuration, "partitions">): Layout => ({
  tables: listGrowingTables(register),
  partitions,
});
