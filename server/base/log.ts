import { getTraceId } from "./tracing/spans.ts";

// One line of JSON per entry on standard error. Callers log names and numbers, never bodies, so that no secret is logged.

export type Log = {
  info(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
};

export function createJsonLog(write: (line: string) => void, clock: () => Date = () => new Date()): Log {
  const entry = (level: string) => (message: string, details?: Record<string, unknown>) =>
    write(`${JSON.stringify({ time: clock().toISOString(), level, message, ...details, trace_id: getTraceId() })}\n`);
  return { info: entry("info"), error: entry("error") };
}

export const describeError = (error: unknown): Record<string, unknown> =>
  error instanceof Error
    ? { error: error.message, code: (error as { code?: string }).code, stack: error.stack }
    : { error: String(error) };
