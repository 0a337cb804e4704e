import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import {
  fullShare,
  leastShare,
  type ProcessShares,
  shareConnections,
  spareConnections,
} from "../../database/lanes/connection-counts.ts";
import { withConnection } from "../database/connect.ts";

// Before anything else uses the database: how many connections it allows, and what each process gets of them (D-786).

type Limits = { server: number; database: number; role: number };

/** Without the connections that are reserved for superusers; -1: no limit. */
const selectLimits = `SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
  - coalesce(current_setting('reserved_connections', true)::integer, 0) AS server,
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role`;

/** Fewer workers than wanted start where the database allows too few connections for them. */
export async function planConnections(
  databaseUrl: string,
  { workers: wanted, databaseConnections }: Pick<Configuration, "workers" | "databaseConnections">,
  log: Log,
): Promise<ProcessShares> {
  const limits = await withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<Limits>(selectLimits);
    return rows[0] as Limits;
  });
  const allowed = Object.values(limits).filter((limit) => limit >= 0);
  const limit = Math.min(...allowed, databaseConnections ?? Number.POSITIVE_INFINITY);
  const shares = shareConnections(limit, wanted);
  if (shares === null)
    throw new OperatorError(
      `The database allows ${limit} connections, but Steward needs ${leastShare + spareConnections} or more: raise max_connections, the limit of the role or database, or DATABASE_CONNECTIONS.`,
    );
  const details = { allowed: limit, workers: shares.workers, connectionsPerProcess: shares.share };
  if (shares.workers < wanted) log.error("too few database connections for all workers", { ...details, wanted });
  else log.info(shares.share < fullShare ? "few database connections" : "database connections", details);
  return shares;
}
