// The only file that talks to the server. Records go through the REST API with a short-lived token that the session
// is exchanged for; what REST does not offer goes through /session-api with the session itself.
import type {
  Application,
  Authorization,
  ClientPair,
  DeadJob,
  Delivery,
  DeliveryDetails,
  EmailPolicy,
  Mail,
  ReceivedMail,
  ScopeName,
  SecurityTrailEntry,
  Session,
  Token,
  Webhook,
  WhoAmI,
} from "./wire.ts";

export type FieldError = [field: string, text: string];

/** What the server answered instead of what was asked for. Status 0: no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly problems: readonly FieldError[];
  readonly retryAfter: number | null;
  /** the name of the request in the log of the service */
  readonly requestId: string | null;
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

export type Query = Readonly<Record<string, string | undefined>>;
export type Row = Record<string, unknown> & { id: number };
export type Page<Entry = Row> = {
  rows: Entry[];
  total: number;
  page: number;
  perPage: number;
  next: string | null;
  prev: string | null;
};

type Call = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** goes on when the page is closed */
  keepalive?: boolean;
};

/** Longer than the server works on any call. A laptop that slept can keep a connection on which no answer ever comes. */
const callTimeout = 60_000; // milliseconds

async function send({ method, path, headers = {}, body, keepalive = false }: Call): Promise<Response> {
  const form = body instanceof FormData;
  const typed = body === undefined || form ? headers : { ...headers, "Content-Type": "application/json" };
  const payload = body === undefined ? {} : { body: form ? body : JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, {
      ...{ method, headers: { Accept: "application/json", ...typed }, keepalive, ...payload },
      // An upload takes as long as it takes.
      ...(form ? {} : { signal: AbortSignal.timeout(callTimeout) }),
    });
  } catch {
    throw new ApiError(0, "");
  }
  if (response.ok) return response;
  throw await readError(response);
}

async function readError(response: Response): Promise<ApiError> {
  const told = (await response.json().catch(() => ({}))) as { message?: string; errors?: FieldError[] };
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const id = response.headers.get("X-Request-Id");
  return new ApiError(response.status, told.message ?? "", told.errors ?? [], Number.isNaN(wait) ? null : wait, id);
}

const readJson = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;

/** Questions, and what the page reports by itself: making them twice does no harm. */
const harmlessPaths =
  /\/(access-token|presence|seen|reads|notifications\/read|automation_rule_check|automation_rule_dry_run)$/;

/** Every repetition of a call has the key of the first try, so that the server carries it out once. */
function addIdempotencyKey(call: Call): Call {
  const isRepeatable = (call.method !== "POST" && call.method !== "PATCH") || harmlessPaths.test(call.path);
  if (isRepeatable || call.headers?.["Idempotency-Key"] !== undefined) return call;
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const key = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...call, headers: { ...call.headers, "Idempotency-Key": key } };
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** How long to wait before the same call is made again; null: what went wrong would go wrong again. */
function pickPause(call: Call, { status, retryAfter }: ApiError): number | null {
  // Without an answer nobody knows whether a change was made; with a key it can be asked for again.
  if (status === 0) return call.headers?.["Idempotency-Key"] === undefined ? null : 1;
  // A short burst, or the first try still running, is over in a moment; nobody needs to hear of it.
  return (status === 429 || status === 409) && retryAfter !== null && retryAfter <= 3 ? retryAfter : null;
}

// ---- the session

let csrf = "";

/** Resolves when the person has signed in again; set by the page that can ask for the password. */
let askForSession: (() => Promise<void>) | null = null;
export const askForSessionBy = (ask: () => Promise<void>): void => {
  askForSession = ask;
};

const sendWithSession = (method: string, path: string, body?: unknown, keepalive = false): Promise<Response> => {
  const headers: Record<string, string> = method === "GET" ? {} : { "X-CSRF-Token": csrf };
  return send(addIdempotencyKey({ method, path: `/session-api${path}`, headers, body, keepalive }));
};

/** A call that meets the end of the session waits for the next one, and is made again. */
async function callSessionApi(method: string, path: string, body?: unknown, keepalive = false): Promise<Response> {
  try {
    return await sendWithSession(method, path, body, keepalive);
  } catch (error) {
    // Before the page knows who is there, the sign-in page is the place to ask.
    if (!(error instanceof ApiError) || csrf === "" || keepalive) throw error;
    const before = csrf;
    if (error.status === 401 && askForSession !== null) await askForSession();
    // Another tab has signed in again: forms need the token of that session.
    else if (error.status === 403 && method !== "GET") await loadWhoAmI();
    if (csrf === before) throw error;
    return sendWithSession(method, path, body, keepalive);
  }
}

async function readWhoAmI(response: Promise<Response>): Promise<WhoAmI> {
  const answer = await readJson<WhoAmI>(response);
  if (answer.csrf_token !== csrf) cachedToken = null;
  csrf = answer.csrf_token;
  return answer;
}
const loadWhoAmI = (): Promise<WhoAmI> => readWhoAmI(sendWithSession("GET", "/me"));

export const sessionApi = {
  whoAmI: (): Promise<WhoAmI> => readWhoAmI(callSessionApi("GET", "/me")),
  /** Whoever is signed in in this browser by now; null: nobody. */
  async resume(): Promise<number | null> {
    const { is_signed_in } = await readJson<{ is_signed_in: boolean }>(sendWithSession("GET", "/sign-in"));
    return is_signed_in ? (await loadWhoAmI()).person.id : null;
  },
  /** The password again, after the session has ended; answers who is signed in then. */
  async signInAgain(wanted: { person_id: number; email: string; password: string }): Promise<number> {
    const { csrf_token, is_signed_in } = await readJson<{ csrf_token: string; is_signed_in: boolean }>(
      sendWithSession("GET", "/sign-in"),
    );
    const headers = { "X-CSRF-Token": csrf_token };
    if (!is_signed_in) await send({ method: "POST", path: "/session-api/sign-in", headers, body: wanted });
    return (await loadWhoAmI()).person.id;
  },
  signOut: () => callSessionApi("DELETE", "/session"),
  scopes: () => readJson<ScopeName[]>(callSessionApi("GET", "/scopes")),
  sessions: () => readJson<Session[]>(callSessionApi("GET", "/sessions")),
  endSession: (id: number) => callSessionApi("DELETE", `/sessions/${id}`),
  tokens: () => readJson<Token[]>(callSessionApi("GET", "/personal-access-tokens")),
  createToken: (wanted: unknown) =>
    readJson<Token & { token: string }>(callSessionApi("POST", "/personal-access-tokens", wanted)),
  deleteToken: (id: number) => callSessionApi("DELETE", `/personal-access-tokens/${id}`),
  authorizations: () => readJson<Authorization[]>(callSessionApi("GET", "/authorizations")),
  revokeAuthorization: (id: number) => callSessionApi("DELETE", `/authorizations/${id}`),
  changePassword: (wanted: unknown) => callSessionApi("PUT", "/password", wanted),
};

/** What administrators of an account see and do. */
export const administrationApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}`;
  const applications = `${at}/oauth-applications`;
  const rest = recordsApi(account);
  return {
    applications: () => readJson<Application[]>(callSessionApi("GET", applications)),
    application: (id: number) => readJson<Application>(callSessionApi("GET", `${applications}/${id}`)),
    createApplication: (wanted: unknown) => readJson<Application>(callSessionApi("POST", applications, wanted)),
    changeApplication: (id: number, wanted: unknown) =>
      readJson<Application>(callSessionApi("PATCH", `${applications}/${id}`, wanted)),
    deleteApplication: (id: number) => callSessionApi("DELETE", `${applications}/${id}`),
    addPair: (id: number) => readJson<ClientPair>(callSessionApi("POST", `${applications}/${id}/clients`)),
    changePair: (id: number, pair: number, disabled: boolean) =>
      callSessionApi("PATCH", `${applications}/${id}/clients/${pair}`, { disabled }),
    deletePair: (id: number, pair: number) => callSessionApi("DELETE", `${applications}/${id}/clients/${pair}`),
    webhooks: () => rest.get<Webhook[]>("/webhook_states"),
    webhook: (id: number) => rest.get<Webhook>(`/webhooks/${id}/state`),
    resendVerification: (id: number) => rest.act(`/webhooks/${id}/verification`),
    deliveries: (id: number, query: Query) => rest.list<Delivery>(`/webhooks/${id}/deliveries`, query),
    delivery: (id: number, delivery: number) => rest.get<DeliveryDetails>(`/webhooks/${id}/deliveries/${delivery}`),
    redeliver: (id: number, wanted: unknown) =>
      rest.ask<{ redelivered: number }>(`/webhooks/${id}/redeliveries`, wanted),
    mails: (query: Query) => rest.list<Mail>("/mails", query),
    receivedMails: (query: Query) => rest.list<ReceivedMail>("/received_mails", query),
    emailPolicy: () => rest.get<EmailPolicy>("/email_policy"),
    changeEmailPolicy: (wanted: Partial<EmailPolicy> & { secret?: string | null }) =>
      rest.change<EmailPolicy>("/email_policy", wanted),
    trail: (query: Query) => rest.list<SecurityTrailEntry>("/security_trail", query),
    deadJobs: (query: Query) => rest.list<DeadJob>("/dead_jobs", query),
    retryDeadJob: (id: number) => rest.act(`/dead_jobs/${id}/retry`),
    deleteDeadJob: (id: number) => rest.remove(`/dead_jobs/${id}`),
  };
};

/** Something the interface keeps on the server: a pin, a view, a draft. */
export type KeptItem<Value> = {
  key: string;
  owner: string;
  value: Value;
  updated_at: string;
  updated_by?: { id: number; name: string | null } | null;
  team?: { id: number; name: string };
  may_change?: boolean;
};

export const keptApi = (account: string) => {
  const at = (kind: string, key?: string, owner?: string) =>
    buildPath(
      `/accounts/${encodeURIComponent(account)}/kept/${kind}${key === undefined ? "" : `/${encodeURIComponent(key)}`}`,
      owner === undefined ? {} : { owner },
    );
  return {
    list: <Value>(kind: string) => readJson<KeptItem<Value>[]>(callSessionApi("GET", at(kind))),
    get: <Value>(kind: string, key: string, owner?: string) =>
      readJson<KeptItem<Value>>(callSessionApi("GET", at(kind, key, owner))),
    put: <Value>(kind: string, key: string, value: Value, owner?: string) =>
      readJson<KeptItem<Value>>(callSessionApi("PUT", at(kind, key, owner), value)),
    remove: (kind: string, key: string, owner?: string) => callSessionApi("DELETE", at(kind, key, owner)),
  };
};

/** Tags in use whose name begins with the text. */
export const suggestTags = (account: string, text: string): Promise<string[]> =>
  readJson(callSessionApi("GET", buildPath(`/accounts/${encodeURIComponent(account)}/tags`, { text })));

// ---- records

let cachedToken: { token: string; until: number } | null = null;
let pendingToken: Promise<string> | null = null;

/** One exchange serves all calls that wait for it; a token is given up a minute before it ends. */
function loadBearerToken(): Promise<string> {
  if (cachedToken !== null && cachedToken.until > Date.now()) return Promise.resolve(cachedToken.token);
  pendingToken ??= readJson<{ access_token: string; expires_in: number }>(callSessionApi("POST", "/access-token"))
    .then(({ access_token: token, expires_in: seconds }) => {
      cachedToken = { token, until: Date.now() + (seconds - 60) * 1000 };
      return token;
    })
    .finally(() => {
      pendingToken = null;
    });
  return pendingToken;
}

type AnsweredCall = (method: string, path: string) => void;
const answered = new Set<AnsweredCall>();
/** Calls the listener for everything that the REST API has done. */
export function onAnsweredCall(listener: AnsweredCall): () => void {
  answered.add(listener);
  return () => void answered.delete(listener);
}

async function callRest(account: string, wanted: Call, tries = 3, prefix = "/v1"): Promise<Response> {
  const call = addIdempotencyKey(wanted);
  const token = await loadBearerToken();
  const headers = { ...call.headers, Authorization: `Bearer ${token}`, account };
  try {
    const path = call.path.startsWith("/") ? `${prefix}${call.path}` : call.path;
    const response = await send({ ...call, path, headers });
    for (const listener of answered) listener(call.method, call.path);
    return response;
  } catch (error) {
    if (!(error instanceof ApiError) || tries <= 1) throw error;
    // The token may have ended with another session of the same browser.
    if (error.status === 401) {
      // Several calls may hear of it at once: only the token that was refused is given up.
      if (cachedToken?.token === token) cachedToken = null;
      return callRest(account, call, 1, prefix);
    }
    const seconds = pickPause(call, error);
    if (seconds === null) throw error;
    await pause(seconds);
    return callRest(account, call, tries - 1, prefix);
  }
}

// ---- readings that are wanted at the same moment are one call

type Reading = { path: string; resolve(answer: Response): void; reject(error: unknown): void };
type CombinedAnswer = { status: number; headers: Record<string, string>; body: unknown };

const mostReadings = 30;
const gathering = new Map<string, Reading[]>();

/** What is asked for in the same moment goes as one call; a single reading goes as it is. */
function gather(account: string, path: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const waiting = gathering.get(account) ?? [];
    if (waiting.length === 0) setTimeout(() => void sendGathered(account), 0);
    gathering.set(account, [...waiting, { path, resolve, reject }]);
  });
}

async function sendGathered(account: string): Promise<void> {
  const all = gathering.get(account) ?? [];
  gathering.delete(account);
  for (let at = 0; at < all.length; at += mostReadings) {
    const some = all.slice(at, at + mostReadings);
    const [only] = some;
    if (some.length === 1 && only !== undefined)
      callRest(account, { method: "GET", path: only.path }).then(only.resolve, only.reject);
    else void sendCombined(account, some);
  }
}

async function sendCombined(account: string, readings: readonly Reading[]): Promise<void> {
  try {
    const body = { paths: readings.map(({ path }) => `/v1${path}`) };
    const call = { method: "POST", path: "/session-api/reads", body, headers: { "X-CSRF-Token": csrf } };
    const answers = await readJson<CombinedAnswer[]>(callRest(account, call, 3, ""));
    for (const [at, reading] of readings.entries()) {
      const { status, headers, body: answered } = answers[at] as CombinedAnswer;
      const response = new Response(JSON.stringify(answered), { status, headers });
      if (response.ok) reading.resolve(response);
      else if ([400, 403, 404, 422].includes(status)) reading.reject(await readError(response));
      // What may go well the next time is made again alone, with all that a single call does about it.
      else callRest(account, { method: "GET", path: reading.path }).then(reading.resolve, reading.reject);
    }
  } catch (error) {
    for (const { reject } of readings) reject(error);
  }
}

function buildPath(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The cursor of a relation in a Link header, as the parameter that leads there. */
function parseCursor(link: string | null, relation: string): string | null {
  const [, url] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link ?? "") ?? [];
  if (url === undefined) return null;
  const query = new URL(url).searchParams;
  return query.get("search_after") ?? query.get("search_before");
}

export const recordsApi = (account: string) => ({
  async list<Entry = Row>(path: string, query?: Query): Promise<Page<Entry>> {
    const response = await gather(account, buildPath(path, query));
    const number = (name: string) => Number(response.headers.get(`X-Pagination-${name}`) ?? 0);
    const link = response.headers.get("Link");
    return {
      rows: (await response.json()) as Entry[],
      total: number("Total-Entries"),
      page: number("Current-Page"),
      perPage: number("Per-Page"),
      next: parseCursor(link, "next"),
      prev: parseCursor(link, "prev"),
    };
  },
  get: <T = Row>(path: string, query?: Query) => readJson<T>(gather(account, buildPath(path, query))),
  create: (path: string, body: unknown) => readJson<Row>(callRest(account, { method: "POST", path, body })),
  /** a question that needs a body */
  ask: <T>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "POST", path, body })),
  change: <T = Row>(path: string, body: unknown) => readJson<T>(callRest(account, { method: "PATCH", path, body })),
  /** archive, trash, restore, and linking: a POST that says it all in its path */
  act: (path: string, body?: unknown) => callRest(account, { method: "POST", path, body }),
  remove: (path: string) => callRest(account, { method: "DELETE", path }),
  /** Uploads a file and answers the key to write with a record. */
  async upload(file: File): Promise<{ key: string; filesize: number }> {
    type Storage = { upload_uri: string; provider: string; local: Record<string, string> };
    const storage = await this.get<Storage>("/attachments/storage");
    const form = new FormData();
    form.append("Content-Type", file.type || "application/octet-stream");
    for (const [name, value] of Object.entries(storage.local)) form.append(name, value);
    form.append("file", file, file.name);
    const path = new URL(storage.upload_uri).pathname.replace(/^\/v1/, "");
    const { key } = await readJson<{ key: string }>(callRest(account, { method: "POST", path, body: form }));
    return { key, filesize: file.size };
  },
});

// ---- live

/** One row of the inbox. */
export type InboxItem = {
  type: "request" | "task" | "problem" | "project_task";
  id: number;
  subject: string;
  category: string | null;
  status: string;
  impact: string | null;
  urgent: boolean;
  next_target_at: string | null;
  kind_of_target: "response" | "resolution" | "desired" | "completion" | "analysis" | null;
  team: { id: number; name: string } | null;
  member: { id: number; name: string } | null;
  requested_for: { id: number; name: string } | null;
  service_instance: { id: number; name: string } | null;
  major_incident_status: string | null;
  notes: number;
  unread: boolean;
  revision: number;
};
export type InboxTab = "mine" | "my_teams" | "unassigned" | "approvals" | "watching";
export type InboxCounts = Readonly<Record<InboxTab | "unread", number>>;
export type InboxPage = { counts: InboxCounts; items: InboxItem[]; next: string | null };

export type PageNotification = {
  id: number;
  kind: "mention" | "assignment" | "approval" | "answer" | "target";
  type: string;
  record: { id: number; name: string };
  note_id: number | null;
  by: { id: number; name: string } | null;
  created_at: string;
  read_at: string | null;
  muted: boolean;
};
export type NotificationPage = { unread: number; items: PageNotification[]; next: string | null };

/** What the session interface offers for live work in an account. */
export const liveApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}`;
  return {
    /** Server-sent events; `lastEventId` resumes where another tab ended. */
    openStream: (topics: readonly string[], lastEventId: string): EventSource =>
      new EventSource(
        buildPath(`/session-api${at}/stream`, {
          topics: topics.join(),
          last_event_id: lastEventId === "" ? undefined : lastEventId,
        }),
      ),
    inbox: (tab: InboxTab, after: string) =>
      readJson<InboxPage>(
        callSessionApi("GET", buildPath(`${at}/inbox`, { tab, after: after === "" ? undefined : after })),
      ),
    inboxCounts: async (): Promise<InboxCounts> =>
      (await readJson<InboxPage>(callSessionApi("GET", `${at}/inbox?per_page=1`))).counts,
    reportPresence: (type: string, id: number, doing: "viewing" | "writing" | "gone") =>
      callSessionApi("POST", `${at}/presence`, { type, id, doing }, doing === "gone"),
    markSeen: (type: string, id: number) => callSessionApi("POST", `${at}/seen`, { type, id }),
    notifications: (after: string) =>
      readJson<NotificationPage>(
        callSessionApi("GET", buildPath(`${at}/notifications`, { after: after === "" ? undefined : after })),
      ),
    markNotificationsRead: (ids?: readonly number[]) =>
      readJson<{ unread: number }>(
        callSessionApi("POST", `${at}/notifications/read`, ids === undefined ? {} : { ids }),
      ),
    setMuted: (type: string, id: number, muted: boolean) =>
      callSessionApi("PUT", `${at}/muted/${type}/${id}`, { muted }),
    /** `isLeaving`: the page is being closed, and the call goes on without it. */
    keepDraft: (key: string, value: unknown, isLeaving = false) =>
      callSessionApi("PUT", `${at}/kept/draft/${encodeURIComponent(key)}`, value, isLeaving),
    removeDraft: (key: string) => callSessionApi("DELETE", `${at}/kept/draft/${encodeURIComponent(key)}`),
  };
};

export type RevisedRow = { row: Row; revision: number | null };

/** Reading and changing a record together with its revision, so that nobody overwrites anybody unknowingly. */
export const revisionsApi = (account: string) => {
  const read = async (answer: Promise<Response>): Promise<RevisedRow> => {
    const response = await answer;
    const revision = response.headers.get("X-Revision");
    return { row: (await response.json()) as Row, revision: revision === null ? null : Number(revision) };
  };
  return {
    get: (path: string) => read(gather(account, path)),
    /** `key`: the server carries out one of all calls with the same key, also across reloads of the page. */
    change: (path: string, body: unknown, revision: number | null, key: string) =>
      read(
        callRest(account, {
          method: "PATCH",
          path,
          body,
          headers: { "Idempotency-Key": key, ...(revision === null ? {} : { "If-Match": `"${revision}"` }) },
        }),
      ),
    /** Goes on although the page is closed; nobody waits for the answer. */
    changeOnLeave: (path: string, body: unknown, key: string): void =>
      void callRest(account, {
        method: "PATCH",
        path,
        body,
        keepalive: true,
        headers: { "Idempotency-Key": key },
      }).catch(() => {}),
  };
};

export type Suggestions = Record<"services" | "templates" | "articles" | "similar", readonly Row[]>;

/** What the beginning of a new request suggests. */
export const loadSuggestions = (account: string, text: string, person: number | null): Promise<Suggestions> =>
  readJson<Suggestions>(
    callSessionApi(
      "GET",
      buildPath(`/accounts/${encodeURIComponent(account)}/suggestions`, {
        text,
        for: person === null ? undefined : String(person),
      }),
    ),
  );

// ---- the portal

export type PortalBroadcast = Row & {
  message: string;
  message_type: string;
  request: { id: number } | null;
  end_at: string | null;
  updated_at: string;
};
export type PortalRequest = Row & {
  subject: string;
  status: string;
  category: string;
  completion_reason: string | null;
  requested_by: PortalPerson | null;
  requested_for: PortalPerson | null;
  team: { id: number; name: string } | null;
  member: PortalPerson | null;
  service_instance: { id: number; name: string; localized_name?: string } | null;
  requester_resolution_target_at: string | null;
  waiting_until: string | null;
  completed_at: string | null;
  satisfaction: string | null;
  approvers?: readonly string[];
  created_at: string;
  updated_at: string;
};
export type PortalPerson = { id: number; name: string };
export type PortalTemplate = Row & {
  subject: string;
  localized_subject: string;
  category: string | null;
  action_type: string | null;
  service: { id: number; name: string; localized_name: string } | null;
};
export type PortalApproval = {
  task: number;
  subject: string;
  status: string;
  instructions: string | null;
  due_at: string | null;
  finished_at: string | null;
  workflow: string | null;
  asked_by: string | null;
  in_place_of: string | null;
  required: number;
  votes: readonly { name: string; status: string }[];
  request: { id: number; subject: string; requested_for: string | null; note: string | null } | null;
};
export type PortalHome = {
  broadcasts: readonly PortalBroadcast[];
  requests: { open: readonly PortalRequest[]; open_total: number; total: number };
  approvals: { items: readonly PortalApproval[]; total: number };
  templates: readonly PortalTemplate[];
  services: readonly (Row & { name: string; localized_name: string })[];
  articles: readonly (Row & { subject: string })[];
  offers: { shop: number };
};
export type PortalField = {
  id: string;
  kind: string;
  label: string;
  help: string | null;
  required: boolean;
  options: readonly { value: string; label: string }[];
  when: { field: string; is: readonly string[] } | null;
};
export type PortalForm = {
  template: PortalTemplate & {
    localized_registration_hints: string | null;
    localized_note: string | null;
    asset_selection: boolean;
  };
  title: string | null;
  fields: readonly PortalField[];
  hide_note: boolean;
  usual_minutes: number | null;
  steps: readonly { kind: "approval" | "work"; text: string | null }[];
};
export type PortalProgress = {
  working_at: string | null;
  approvers: readonly string[];
  same: number;
  agreement: { minutes: number; impact: string | null } | null;
  may_rate: boolean;
  articles: readonly { id: number; subject: string }[];
};

/** What the portal reads beside the records. */
export const portalApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}/portal`;
  const get = <T>(path: string) => readJson<T>(callSessionApi("GET", `${at}${path}`));
  return {
    home: () => get<PortalHome>(""),
    broadcasts: () => get<PortalBroadcast[]>("/broadcasts"),
    form: (template: string) => get<PortalForm>(`/forms/${encodeURIComponent(template)}`),
    requests: (show: string) =>
      get<{ items: readonly PortalRequest[]; total: number }>(`/requests?show=${encodeURIComponent(show)}`),
    progress: (id: string) => get<PortalProgress>(`/requests/${encodeURIComponent(id)}`),
    addWatcher: (id: number, email: string) =>
      readJson<{ id: number; person: PortalPerson }>(
        callSessionApi("POST", `${at}/requests/${id}/watchers`, { email }),
      ),
    removeWatcher: (id: number, watch: number) => callSessionApi("DELETE", `${at}/requests/${id}/watchers/${watch}`),
    approvals: () => get<{ open: readonly PortalApproval[]; decided: readonly PortalApproval[] }>("/approvals"),
    approval: (task: string) => get<PortalApproval>(`/approvals/${encodeURIComponent(task)}`),
  };
};
