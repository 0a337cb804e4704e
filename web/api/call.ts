// The only file that calls the server: a single call, its possible errors, and whether it may be retried.

export type ProofMethod = "password" | "code" | "passkey" | "provider";
/** An identity provider that can reauthenticate the person, and the address of its page. */
export type ProofProvider = { name: string; address: string };
export type ProofWanted = {
  proof_methods?: readonly ProofMethod[];
  proof_providers?: readonly ProofProvider[];
};
export type FieldError = [field: string, text: string];

/** An error response of the server. Status 0: no response at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly problems: readonly FieldError[];
  readonly retryAfter: number | null;
  /** the id of the call in the service's log */
  readonly requestId: string | null;
  /** how the person can reauthenticate, if the call requires it */
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
  /** the total was counted a short time ago: other people's changes may be missing */
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
  /** continues after the page is closed */
  keepalive?: boolean;
};

/**
 * Longer than the server works on any call. After a laptop slept, a connection can stay open without ever delivering a
 * response.
 */
const callTimeout = 60_000; // milliseconds

let observeCall: (answer: Promise<Response>) => void = () => {};
/** The observer learns from calls whether the server is reachable. */
export const setCallObserver = (observer: typeof observeCall): void => {
  observeCall = observer;
};

/** Calls without a response; uploads are not included. */
const pendingCalls = new Set<AbortController>();

/**
 * Called when the connection is lost. Returns a function that aborts the calls still pending when the connection is
 * back.
 */
export function rememberPendingCalls(): () => void {
  const lost = [...pendingCalls];
  return () => {
    for (const call of lost) if (pendingCalls.has(call)) call.abort();
  };
}

/** Any response means that the server is reachable. */
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
      // Uploads have no timeout.
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
  const body: ProofWanted & { message?: string; errors?: FieldError[] } = await response.json().catch(() => ({}));
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const id = response.headers.get("X-Request-Id");
  const retryAfter = Number.isNaN(wait) ? null : wait;
  const error = new ApiError(response.status, body.message ?? "", body.errors ?? [], retryAfter, id);
  if (body.proof_methods) error.proof = body;
  return error;
}

/** The body of a response. A connection that breaks before its end counts as no response. */
export async function readBody(response: Response) {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? error : new ApiError(0, "");
  }
}

export const readJson = async <T>(call: Promise<Response>): Promise<T> => {
  const response = await call;
  // Callers that expect no content choose T accordingly.
  return response.status === 204 ? (undefined as T) : readBody(response);
};

/** Queries, and reports that the page sends automatically: repeating them is harmless. */
const harmlessPaths =
  /\/(access-token|presence|seen|reads|notifications\/read|automation_rule_check|automation_rule_completion|automation_rule_dry_run|recurrence_occurrences)$/;

/** Every retry has the key of the first attempt, so that the server executes the call once. */
export function addIdempotencyKey(call: Call): Call {
  const isRepeatable = (call.method !== "POST" && call.method !== "PATCH") || harmlessPaths.test(call.path);
  if (isRepeatable || call.headers?.["Idempotency-Key"] !== undefined) return call;
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const key = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...call, headers: { ...call.headers, "Idempotency-Key": key } };
}

export const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The number of seconds before a retry; null: a retry would fail in the same way. */
export function pickPause(call: Call, { status, retryAfter }: ApiError): number | null {
  // Without a response it is unknown whether the change was made; with an idempotency key the call can be repeated.
  if (status === 0) return call.headers?.["Idempotency-Key"] === undefined ? null : 1;
  // A short rate limit, or a first attempt that still runs, is over in a moment; the person needn't see it.
  return (status === 429 || status === 409) && retryAfter !== null && retryAfter <= 3 ? retryAfter : null;
}

export function buildPath(path: string, query: Query = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
}

/** A raw response, for pages that show calls. */
export type RawAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  milliseconds: number;
};
export type RawCall = { method: string; path: string; headers?: Record<string, string>; body?: string | undefined };

/** A call to this server that is shown, not used: any status is accepted. */
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
