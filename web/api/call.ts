// The only file that talks to the server: one call, what it may answer, and whether it may be made again.

export type ProofMethod = "password" | "code" | "passkey" | "provider";
/** An identity provider that can tell again who somebody is, and the page that leads there. */
export type ProofProvider = { name: string; address: string };
export type ProofWanted = {
  proof_methods?: readonly ProofMethod[];
  proof_providers?: readonly ProofProvider[];
};
export type FieldError = [field: string, text: string];

/** What the server answered instead of what was asked for. Status 0: no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly problems: readonly FieldError[];
  readonly retryAfter: number | null;
  /** the name of the request in the log of the service */
  readonly requestId: string | null;
  /** how the person can prove who they are, where that is what the call lacks */
  proof?: ProofWanted;
  constructor(
    status: number,
    message: string,
    problems: readonly FieldError[] = [],
    retryAfter: number | null = null,
    requestId: string | null = null,
  ) {
    super(message);
    this.status = status;
    this.problems = problems;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

type QueryValue = string | number | boolean | undefined | readonly string[];
export type Query = Readonly<Record<string, QueryValue>>;
export type Row = Record<string, unknown> & { id: number };
export type Page<Entry = Row> = {
  rows: Entry[];
  total: number;
  /** the total was counted a short time ago: changes by others may be missing */
  isTotalOld: boolean;
  page: number;
  perPage: number;
  next: string | null;
  prev: string | null;
};

export type Call = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** goes on when the page is closed */
  keepalive?: boolean;
};

/** Longer than the server works on any call. A laptop that slept can keep a connection on which no answer ever comes. */
const callTimeout = 60_000; // milliseconds

let observeCall: (answer: Promise<Response>) => void = () => {};
/** The observer learns from calls whether the server can be reached. */
export const observeCallsBy = (observer: typeof observeCall): void => {
  observeCall = observer;
};

/** Calls without an answer; uploads are not among them. */
const pendingCalls = new Set<AbortController>();

/** Of a connection that is lost: returns what ends the calls that are still without an answer when it is back. */
export function rememberPendingCalls(): () => void {
  const lost = [...pendingCalls];
  return () => {
    for (const call of lost) if (pendingCalls.has(call)) call.abort();
  };
}

/** Any answer means that the server can be reached. */
export const probeServer = (timeout: number): Promise<Response> =>
  fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(timeout) });

export async function send({ method, path, headers = {}, body, keepalive = false }: Call): Promise<Response> {
  const form = body instanceof FormData;
  const typed = body === undefined || form ? headers : { ...headers, "Content-Type": "application/json" };
  const payload = body === undefined ? {} : { body: form ? body : JSON.stringify(body) };
  let response: Response;
  const lost = new AbortController();
  try {
    if (!form) pendingCalls.add(lost);
    const answer = fetch(path, {
      ...{ method, headers: { Accept: "application/json", ...typed }, keepalive, ...payload },
      // An upload takes as long as it takes.
      ...(form ? {} : { signal: AbortSignal.any([AbortSignal.timeout(callTimeout), lost.signal]) }),
    });
    observeCall(answer);
    response = await answer;
  } catch {
    throw new ApiError(0, "");
  } finally {
    pendingCalls.delete(lost);
  }
  if (response.ok) return response;
  throw await readError(response);
}

export async function readError(response: Response): Promise<ApiError> {
  const told: ProofWanted & { message?: string; errors?: FieldError[] } = await response.json().catch(() => ({}));
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const id = response.headers.get("X-Request-Id");
  const retryAfter = Number.isNaN(wait) ? null : wait;
  const error = new ApiError(response.status, told.message ?? "", told.errors ?? [], retryAfter, id);
  if (told.proof_methods) error.proof = told;
  return error;
}

/** The body of a response. A connection that breaks before its end counts as no answer. */
export async function readBody(response: Response) {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? error : new ApiError(0, "");
  }
}

export const readJson = async <T>(call: Promise<Response>): Promise<T> => {
  const response = await call;
  // Callers that expect no content say so with T.
  return response.status === 204 ? (undefined as T) : readBody(response);
};

/** Questions, and what the page reports by itself: making them twice does no harm. */
const harmlessPaths =
  /\/(access-token|presence|seen|reads|notifications\/read|automation_rule_check|automation_rule_completion|automation_rule_dry_run|recurrence_occurrences)$/;

/** Every repetition of a call has the key of the first try, so that the server carries it out once. */
export function addIdempotencyKey(call: Call): Call {
  const isRepeatable = (call.method !== "POST" && call.method !== "PATCH") || harmlessPaths.test(call.path);
  if (isRepeatable || call.headers?.["Idempotency-Key"] !== undefined) return call;
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const key = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...call, headers: { ...call.headers, "Idempotency-Key": key } };
}

export const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** How long to wait before the same call is made again; null: what went wrong would go wrong again. */
export function pickPause(call: Call, { status, retryAfter }: ApiError): number | null {
  // Without an answer nobody knows whether a change was made; with a key it can be asked for again.
  if (status === 0) return call.headers?.["Idempotency-Key"] === undefined ? null : 1;
  // A short burst, or the first try still running, is over in a moment; nobody needs to hear of it.
  return (status === 429 || status === 409) && retryAfter !== null && retryAfter <= 3 ? retryAfter : null;
}

export function buildPath(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** An answer as it came, for pages that show calls. */
export type RawAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  milliseconds: number;
};
export type RawCall = { method: string; path: string; headers?: Record<string, string>; body?: string | undefined };

/** A call of this server that is shown, not worked with: every answer is fine. */
export async function sendRaw({ method, path, headers = {}, body }: RawCall): Promise<RawAnswer> {
  const started = performance.now();
  try {
    const response = await fetch(new URL(path, location.origin).pathname + new URL(path, location.origin).search, {
      ...{ method, headers, redirect: "manual", signal: AbortSignal.timeout(callTimeout) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - started);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: text, milliseconds };
  } catch {
    throw new ApiError(0, "");
  }
}

/** Server-sent events. */
export const openEvents = (path: string): EventSource => new EventSource(path);
