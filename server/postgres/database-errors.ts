import { Overloaded, TimedOut, Unavailable } from "../base/errors.ts";

// Errors of PostgreSQL and its driver, by SQLSTATE.

const getCode = (error: unknown): string => (error as { code?: string }).code ?? "";

/** Deadlocks, and locks that were not immediately available. */
export const isConflict = (error: unknown): boolean => ["40001", "40P01", "55P03"].includes(getCode(error));

/**
 * A migration changed the columns that a prepared statement returns. PostgreSQL has no code of its own for it, and its message
 * is in the language of the server.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  getCode(error) === "0A000" && (error as { routine?: string }).routine === "RevalidateCachedQuery";

/** The statement ran longer than its connection allows, or was canceled. */
export const isCanceled = (error: unknown): boolean => getCode(error) === "57014";

/** The server was demoted, or was not promoted yet. */
const isReadOnly = (error: unknown): boolean => getCode(error) === "25006";

/** All connections that the server, the database or the role allows are in use. */
export const isFull = (error: unknown): boolean => getCode(error) === "53300";

/** The server ends, starts, has ended, or cannot be reached; a name that does not resolve may move to another server. */
const isAway = (error: unknown): boolean =>
  /^(08|53|57|58)/.test(getCode(error)) ||
  /^E(CONN|PIPE|NOENT|TIMEDOUT|HOST|NET|NOTFOUND|AI_)/.test(getCode(error)) ||
  (error instanceof Error &&
    /not queryable|Connection terminated|Connection ended|timeout expired/.test(error.message));

/** It may work in a moment, or on another server. */
export const isTransient = (error: unknown): boolean => isReadOnly(error) || isAway(error);

/** A database that is unavailable, read-only or too slow is not the caller's mistake: 503 or 504, cause in the log. */
export function translateError(error: unknown): unknown {
  if (error instanceof Overloaded) return error;
  if (isCanceled(error)) return new TimedOut("the database took too long", { cause: error });
  if (isReadOnly(error)) return new Unavailable("the database is read-only", { cause: error });
  if (isConflict(error)) return new Unavailable("too many changes meet each other", { cause: error });
  if (isOutdatedPlan(error)) return new Unavailable("the schema has just changed", { cause: error });
  if (isFull(error)) return new Unavailable("the database has no free connection", { cause: error });
  if (isAway(error)) return new Unavailable("the database is away", { cause: error });
  return error;
}
