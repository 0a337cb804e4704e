import type { Context, Span as OtelSpan } from "@opentelemetry/api";
import { OperatorError } from "../errors.ts";
import { parseTraceparent, type Span, type SpanKind, setTracer } from "./spans.ts";

// Sends spans to a collector by OTLP over HTTP. The packages read the standard variables themselves: the sampler, the endpoint
// and its headers, the name of the service.

type Env = Record<string, string | undefined>;

/** Running tracing, which the process stops at its end. */
export type RunningTracing = { stop(): Promise<void> };

export const wantsTraces = (env: Env): boolean =>
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) &&
  env.OTEL_SDK_DISABLED?.toLowerCase() !== "true" &&
  env.OTEL_TRACES_EXPORTER !== "none";

const protocol = "http/json";

/** Null where no traces are wanted; the packages are not loaded then. */
export async function startTracing(env: Env): Promise<RunningTracing | null> {
  if (!wantsTraces(env)) return null;
  const wanted = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || protocol;
  if (wanted !== protocol)
    throw new OperatorError(
      `Traces are sent as ${protocol}, not as ${wanted}: leave OTEL_EXPORTER_OTLP_PROTOCOL unset. Collectors take it at the same port as http/protobuf.`,
    );
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const provider = new BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ "service.name": "steward", "process.pid": process.pid }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer("steward");
  const { ROOT_CONTEXT, SpanKind: kinds, SpanStatusCode, trace } = api;
  const kindNumbers: Record<SpanKind, number> = {
    internal: kinds.INTERNAL,
    server: kinds.SERVER,
    client: kinds.CLIENT,
    consumer: kinds.CONSUMER,
  };
  const contexts = new WeakMap<Span, Context>();

  function findContext(parent: Span | string | null): Context {
    if (parent === null) return ROOT_CONTEXT;
    if (typeof parent !== "string") return contexts.get(parent) ?? ROOT_CONTEXT;
    const remote = parseTraceparent(parent);
    return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  }

  function wrap(inner: OtelSpan): Span {
    const { traceId, spanId, traceFlags } = inner.spanContext();
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      rename: (name) => void inner.updateName(name),
      set: (attributes) => void inner.setAttributes(attributes),
      end(failure) {
        if (failure !== undefined) inner.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        inner.end();
      },
    };
  }

  setTracer({
    start(name, kind, attributes, parent) {
      const context = findContext(parent);
      const inner = tracer.startSpan(name, { kind: kindNumbers[kind], attributes }, context);
      const span = wrap(inner);
      contexts.set(span, trace.setSpan(context, inner));
      return span;
    },
  });
  return {
    async stop() {
      setTracer(null);
      await provider.shutdown().catch(() => {}); // an unavailable collector must not keep the process running
    },
  };
}
