import { Overloaded, TimedOut, Unavailable } from "../base/errors.ts";

// Errors of PostgreSQL and its driver, by SQLSTATE.

const getCode = (error: unknown): string => (error as { code?: string }).code ?? "";

/** Deadlocks, and locks that were not available at once. */
export const isConflict = (error: unknown): boolean => ["40001", "40P01", "55P03"].includes(getCode(error));

/** The statement ran longer than its connection allows, or was cancelled. */
export const isCanceled = (error: unknown): boolean => getCode(error) === "57014";

/** A database that is unavailable, read-only or too slow is not the caller's mistake: 503 or 504, cause in the log. */
export function translateError(error: unknown): unknown {
  if (error instanceof Overloaded) return error;
  const code = getCode(error);
  if (isCanceled(error)) return new TimedOut("the database took too long", { cause: error });
  if (code === "25006") return new Unavailable("the database is read-only", { cause: error });
  if (/^(08|53|57|58)/.test(code) || /^E(CONN|PIPE|NOENT|TIMEDOUT)/.test(code))
    return new Unavailable("the database is away", { cause: error });
  if (
    error instanceof Error &&
    /not queryable|Connection terminated|Connection ended|timeout expired/.test(error.message)
  )
    return new Unavailable("the database is away", { cause: error });
  return error;
}
