import { AsyncLocalStorage } from "node:async_hooks";

// Spans of what the server does, for OpenTelemetry (D-673). Without an exporter there is no tracer, and a span costs one
// comparison; the packages are loaded by otlp.ts only.

export type SpanKind = "internal" | "server" | "client" | "consumer";
type Attributes = Record<string, string | number | boolean>;

export type Span = {
  /** the trace context (traceparent), for work elsewhere that the span causes */
  readonly traceparent: string;
  readonly traceId: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** `failure`: why the work failed */
  end(failure?: string): void;
};

export type Tracer = {
  /** `parent`: a span of this process, or the trace context of another one; null begins a trace */
  start(name: string, kind: SpanKind, attributes: Attributes, parent: Span | string | null): Span;
};

let tracer: Tracer | null = null;
const currentSpan = new AsyncLocalStorage<Span>();

export function setTracer(next: Tracer | null): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== null;

/** The trace context of what runs now; undefined where nothing is traced. */
export const getTraceparent = (): string | undefined =>
  tracer === null ? undefined : currentSpan.getStore()?.traceparent;
export const getTraceId = (): string | undefined => (tracer === null ? undefined : currentSpan.getStore()?.traceId);

type SpanOptions = { kind?: SpanKind; attributes?: Attributes; parent?: string | null };

/** Without `parent` the span belongs to the one that runs now. */
export function startSpan(name: string, options: SpanOptions = {}): Span | null {
  const { kind = "internal", attributes = {}, parent = currentSpan.getStore() ?? null } = options;
  return tracer?.start(name, kind, attributes, parent) ?? null;
}

/** The work gets null where nothing is traced. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  return span === null ? work(null) : runInSpan(span, work);
}

async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await currentSpan.run(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Only inside another span: background work such as polling starts no trace. */
export function withInnerSpan<T>(name: string, attributes: () => Attributes, work: () => Promise<T>): Promise<T> {
  const parent = tracer === null ? undefined : currentSpan.getStore();
  if (parent === undefined) return work();
  return runInSpan((tracer as Tracer).start(name, "client", attributes(), parent), work);
}

/** For work that continues in callbacks. */
export const continueInSpan = (span: Span, next: () => void): void => currentSpan.run(span, next);

/** For work that continues after the span has ended, such as the next poll of a worker that a request woke up. */
export const leaveSpan = <T>(act: () => T): T => (tracer === null ? act() : currentSpan.exit(act));

/** https://www.w3.org/TR/trace-context/: version 00 or newer, no part of zeros only */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

export function parseTraceparent(text: string): { traceId: string; spanId: string; traceFlags: number } | null {
  const match = traceparentPattern.exec(text);
  if (match === null || (text.startsWith("00") && text.length !== 55)) return null;
  const [, traceId, spanId, flags] = match as unknown as [string, string, string, string];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}
