import assert from "node:assert/strict";
import { test } from "vitest";
import { parseTraceparent } from "../../server/base/tracing/spans.ts";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { createClient } from "../support/world.ts";

// OpenTelemetry traces, from a client's call to the webhooks and jobs that it causes (D-673).

type Attribute = { key: string; value: { stringValue?: string; intValue?: string | number } };
type ReceivedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: Attribute[];
};
type TraceExport = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ReceivedSpan[] }[] }[];
};

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const clientSpan = "00f067aa0ba902b7";

test("a call, its statements, its jobs and its webhooks are one trace, which the receiver can continue", async () => {
  const collector = await startReceiver();
  const receiver = await startReceiver();
  const processes = await serverProcesses({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: "desk",
    OTEL_TRACES_SAMPLER: "parentbased_always_off", // only traces requested by a client
    OTEL_BSP_SCHEDULE_DELAY: "100",
    WEBHOOK_ALLOW: "127.0.0.0/8",
  });
  const { base } = await processes.start();
  await processes.sql.query(
    "INSERT INTO webhooks (account_id, name, event, uri, receiver, verified, created_at, updated_at) VALUES ('widget-it', 'Traced', 'request.create', $1, $2, true, now(), now())",
    [`${receiver.url}/hook`, receiver.url],
  );
  const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" };
  const traceparent = `00-${traceId}-${clientSpan}-01`;
  const untraced = await createClient(base, headers).get("/requests?per_page=1");
  assert.equal(untraced.status, 200);
  const traced = createClient(base, { ...headers, traceparent });
  const { status, body: request } = await traced.post("/requests", { subject: "Traced", category: "rfi" });
  assert.equal(status, 201);
  const ordered = await traced.post("/export", { type: "people" });
  assert.equal(ordered.status, 200, ordered.text);

  const exports = () => collector.messages.map(({ body }) => body as TraceExport);
  const spans = () =>
    exports().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
  const find = (pattern: RegExp) => spans().find(({ name }) => pattern.test(name));
  await until(() => find(/^webhook POST$/) !== undefined && find(/^job export/) !== undefined, {
    what: () => JSON.stringify([...new Set(spans().map(({ name }) => name))]),
  });
  await until(() => [/^POST \/v1\/requests$/, /^POST \/v1\/export$/].every((pattern) => find(pattern) !== undefined));

  assert.deepEqual([...new Set(spans().map((span) => span.traceId))], [traceId], "only what was asked for is sampled");
  const attribute = (list: readonly Attribute[], name: string) => list.find(({ key }) => key === name)?.value;
  const [first] = exports()[0]?.resourceSpans ?? [];
  assert.equal(attribute(first?.resource.attributes ?? [], "service.name")?.stringValue, "desk");
  const call = find(/^POST \/v1\/requests$/) as ReceivedSpan;
  assert.equal(call.parentSpanId, clientSpan);
  assert.equal(Number(attribute(call.attributes, "http.response.status_code")?.intValue), 201);
  // Effects of a change are children of its transaction.
  const findCause = (span: ReceivedSpan) => {
    const transaction = spans().find(({ spanId }) => spanId === span.parentSpanId);
    assert.equal(transaction?.name, "transaction");
    return spans().find(({ spanId }) => spanId === transaction?.parentSpanId)?.name;
  };
  const sent = find(/^webhook POST$/) as ReceivedSpan;
  assert.equal(findCause(sent), "POST /v1/requests");
  assert.equal(findCause(find(/^job export/) as ReceivedSpan), "POST /v1/export");
  const [message] = receiver.messages;
  assert.equal(message?.body.object_id, request.id);
  const continued = { traceId, spanId: sent.spanId, traceFlags: 1 };
  assert.deepEqual(parseTraceparent(String(message?.headers.traceparent)), continued);
  assert.ok(!message?.text.includes(traceId), "the message itself stays as it is");
  assert.equal(collector.messages[0]?.path, "/v1/traces");
});

test("an invalid trace context starts a new trace", () => {
  for (const text of ["", "00-0-0-00", `00-${"0".repeat(32)}-${clientSpan}-01`, `ff-${traceId}-${clientSpan}-01`])
    assert.equal(parseTraceparent(text), null);
  assert.equal(parseTraceparent(`00-${traceId}-${clientSpan}-01-more`), null);
  assert.deepEqual(parseTraceparent(`01-${traceId}-${clientSpan}-00-more`)?.traceFlags, 0);
});
