import type { FastifyInstance, FastifyRequest } from "fastify";
import { continueInSpan, isTracing, type Span, startSpan } from "../../../base/tracing/spans.ts";

/** Monitoring calls would only be noise in traces. */
const untraced = /^\/(?:health\/|metrics\b)/;

/**
 * A span for every request, in the trace of a client that sends `traceparent`. Hooks of a server that traces nothing would still
 * be called, so it gets none. `findRoute`: the path of the route that matched, with names in place of values.
 */
export function traceRequests(app: FastifyInstance, findRoute: (request: FastifyRequest) => string): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = untraced.test(request.url)
      ? null
      : startSpan(request.method, {
          kind: "server",
          attributes: { "http.request.method": request.method, "steward.request": request.id },
          parent: typeof traceparent === "string" ? traceparent : null,
        });
    if (span === null) return done();
    spans.set(request, span);
    continueInSpan(span, done);
  });
  app.addHook("onResponse", (request, { statusCode }, done) => {
    const span = spans.get(request);
    if (span !== undefined) {
      const route = findRoute(request);
      span.rename(`${request.method} ${route}`.trim());
      span.set({ "http.route": route, "http.response.status_code": statusCode });
      span.end(statusCode >= 500 ? `status ${statusCode}` : undefined);
    }
    done();
  });
}
