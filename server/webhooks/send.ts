import { type Span, withSpan } from "../base/tracing/spans.ts";
import { AddressNotAllowed } from "./address-filter.ts";
import type { ConnectionPools } from "./connection-pools.ts";
import type { PreparedDelivery } from "./prepare.ts";

// The second step: one POST, at most ten seconds altogether, no redirects. Only the status of the response counts; the
// start of the rest is stored to help find the cause of a failure.

/** Not imported: for an import, Node loads the whole module, including a client that the server does not use (D-588). */
const getStatusText = (status: number): string => process.getBuiltinModule("node:http").STATUS_CODES[status] ?? "";

export type CallResult = {
  startedAt: Date;
  milliseconds: number;
  status: number | null;
  /** the status line or a short description; null: the call succeeded */
  error: string | null;
  headers: Record<string, string> | null;
  body: string | null;
};

const timeLimit = 10_000;
const maxStoredBody = 1024;
const maxReadBody = 65_536;
const bodyTimeLimit = 2000;
const maxStoredHeaders = 40;

type SendOptions = { agent: string; now: Date; cancel: AbortSignal };

/** The receiver gets the trace of the change, so that its work becomes part of it. */
export const sendDelivery = (
  connections: ConnectionPools,
  prepared: PreparedDelivery,
  options: SendOptions,
): Promise<CallResult> => {
  const attributes = { "http.request.method": "POST", "steward.webhook": prepared.webhook.id };
  const { traceparent: parent } = prepared;
  return withSpan("webhook POST", { kind: "client", attributes, parent }, async (span) => {
    const result = await call(connections, prepared, options, span);
    span?.set({
      ...(result.status === null ? {} : { "http.response.status_code": result.status }),
      ...(result.error === null ? {} : { "error.type": result.error }),
    });
    return result;
  });
};

async function call(
  connections: ConnectionPools,
  prepared: PreparedDelivery,
  { agent, now, cancel }: SendOptions,
  span: Span | null,
): Promise<CallResult> {
  const startTime = performance.now();
  const buildResult = (part: Partial<CallResult>): CallResult => ({
    startedAt: now,
    milliseconds: Math.round(performance.now() - startTime),
    status: null,
    error: null,
    headers: null,
    body: null,
    ...part,
  });
  if (prepared.problem !== null) return buildResult({ error: prepared.problem });
  const limit = AbortSignal.timeout(timeLimit);
  const signal = AbortSignal.any([limit, cancel]);
  try {
    const url = new URL(prepared.uri);
    const { statusCode, headers, body } = await connections.getPool(url.origin).request({
      method: "POST",
      path: `${url.pathname}${url.search}`,
      headers: {
        ...buildHeaders(url, prepared, agent),
        ...(span === null ? {} : { traceparent: span.traceparent }),
      },
      body: prepared.body,
      signal,
    });
    const isSuccess = statusCode >= 200 && statusCode <= 299;
    return buildResult({
      status: statusCode,
      error: isSuccess ? null : `${statusCode} ${getStatusText(statusCode)}`.trim(),
      headers: truncateHeaders(headers),
      body: await readBodyStart(body, startTime),
    });
  } catch (error) {
    if (cancel.aborted) throw error;
    return buildResult({
      error: limit.aborted ? `no response within ${timeLimit / 1000} seconds` : describeCallError(error),
    });
  }
}

export function buildHeaders(url: URL, { body, link, uuid }: PreparedDelivery, agent: string): Record<string, string> {
  const credentials = [url.username, url.password].map(decodeURIComponent).join(":");
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": agent,
    accept: "*/*",
    link,
    // Exactly this spelling: a receiver behind a gateway that keeps it looks for the exact names (CO28).
    "X-Xurrent-Delivery": uuid,
    "X-4me-Delivery": uuid,
    ...(url.username === "" && url.password === ""
      ? {}
      : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
}

type ResponseBody = AsyncIterable<Buffer> & { destroy(): void; on(event: "error", act: () => void): unknown };

/** The first kilobyte. A short body is read to its end, so that the connection can be reused. */
async function readBodyStart(body: ResponseBody, startTime: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on("error", () => {});
  const remaining = Math.max(0, Math.min(bodyTimeLimit, timeLimit - (performance.now() - startTime)));
  const timer = setTimeout(() => body.destroy(), remaining);
  try {
    for await (const chunk of body) {
      if (size < maxStoredBody) chunks.push(chunk.subarray(0, maxStoredBody - size));
      size += chunk.length;
      if (size > maxReadBody) break; // leaving the loop closes the connection
    }
  } catch {
    // The status alone decides.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString("utf8").replaceAll("\0", "").toWellFormed();
}

function truncateHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const stored = Object.entries(headers).slice(0, maxStoredHeaders);
  return Object.fromEntries(
    stored.map(([name, value]) => [name, String(value).replaceAll("\0", "").toWellFormed().slice(0, 500)]),
  );
}

// biome-ignore format: a table keeps its columns
const errorTexts: Record<string, string> = {
  ECONNREFUSED:                "connection refused",
  ECONNRESET:                  "connection reset",
  EPIPE:                       "connection reset",
  UND_ERR_SOCKET:              "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT:     "no connection within 10 seconds",
  UND_ERR_HEADERS_TIMEOUT:     "no response within 10 seconds",
  UND_ERR_BODY_TIMEOUT:        "no response within 10 seconds",
  UND_ERR_HEADERS_OVERFLOW:    "the response headers are too large",
  EHOSTUNREACH:                "the receiver can't be reached",
  ENETUNREACH:                 "the receiver can't be reached",
  ETIMEDOUT:                   "no connection within 10 seconds",
  CERT_HAS_EXPIRED:            "the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN:   "the certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for a different host name",
};

/** Never contains the address, which may hold a password. */
function describeCallError(error: unknown): string {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (error instanceof AddressNotAllowed || message === "the address is not allowed")
    return "the address is not allowed";
  if (message === "the name cannot be resolved") return message;
  return (
    errorTexts[code] ??
    (code.startsWith("HPE_") ? "the response is not valid HTTP" : `the call failed${code === "" ? "" : ` (${code})`}`)
  );
}
