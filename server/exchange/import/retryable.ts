import { TimedOut, Unavailable } from "../../base/errors.ts";

/** The database is unavailable, or the transaction conflicted with another: the whole chunk is retried. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof Unavailable || error instanceof TimedOut) return true;
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? /^Connection/.test(message ?? "") : /^(08|40|53|55P03|57|58)/.test(code);
}
