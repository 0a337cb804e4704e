import { unnamedStatement } from "../../database/database.ts";
import type { Engine } from "../engine.ts";

/**
 * A new connection loads the catalog of every table that a statement names, and the first statement of a type names twenty. So
 * each connection for reads by id reads a nonexistent record before the first call arrives (D-501).
 */
export async function warmUpReads({ database, types, serializer }: Engine): Promise<void> {
  for (const type of types.all) {
    const { storage, routes } = type;
    if (!storage.grows || storage.virtual || storage.journal || routes.singleton) continue;
    const { columns } = serializer.forRecord(type);
    await database.warmUp(unnamedStatement(`SELECT ${columns.join(", ")} FROM ${type.table} a WHERE a.id = $1`), [0]);
  }
}
