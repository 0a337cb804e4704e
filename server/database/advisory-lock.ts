import { statement } from "./database.ts";

// Named locks for what no row or unique index can guard. A lock ends with its transaction.

/** Waits while another transaction holds the lock of the same key. */
export const acquireLock = statement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))");
/** Answers "t", or "f" without waiting when another transaction holds the lock. */
export const tryAcquireLock = statement("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))");

/** The first part names what is locked, so that keys of different purposes never meet. */
export const buildLockKey = (purpose: string, ...parts: readonly unknown[]): string =>
  JSON.stringify([purpose, ...parts]);
