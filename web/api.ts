// The only file that talks to the server. Records go through the REST API with a short-lived token that the session
// is exchanged for; what REST does not offer goes through /session-api with the session itself.
import type {
  Application,
  Authorization,
  ClientPair,
  Delivery,
  DeliveryDetails,
  EmailPolicy,
  Mail,
  ReceivedMail,
  ScopeName,
  Session,
  Token,
  TrailLine,
  Webhook,
  WhoAmI,
} from "./wire.ts";

export type Problem = [field: string, text: string];

/** What the server answered instead of what was asked for. Status 0: no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];
  readonly retryAfter: number | null;
  constructor(status: number, message: string, problems: readonly Problem[] = [], retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.problems = problems;
    this.retryAfter = retryAfter;
  }
}

export type Query = Readonly<Record<string, string | undefined>>;
export type Row = Record<string, unknown> & { id: number };
export type Page = {
  rows: Row[];
  total: number;
  page: number;
  perPage: number;
  next: string | null;
  prev: string | null;
};

type Call = { method: string; path: string; headers?: Record<string, string>; body?: unknown };

async function send({ method, path, headers = {}, body }: Call): Promise<Response> {
  const form = body instanceof FormData;
  const typed = body === undefined || form ? headers : { ...headers, "Content-Type": "application/json" };
  const payload = body === undefined ? {} : { body: form ? body : JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, { method, headers: { Accept: "application/json", ...typed }, ...payload });
  } catch {
    throw new ApiError(0, "");
  }
  if (response.ok) return response;
  const told = (await response.json().catch(() => ({}))) as { message?: string; errors?: Problem[] };
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN);
  throw new ApiError(response.status, told.message ?? "", told.errors ?? [], Number.isNaN(wait) ? null : wait);
}

const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;

// ---- the session

let csrf = "";

const withSession = (method: string, path: string, body?: unknown): Promise<Response> =>
  send({ method, path: `/session-api${path}`, headers: method === "GET" ? {} : { "X-CSRF-Token": csrf }, body });

export const session = {
  async whoAmI(): Promise<WhoAmI> {
    const answer = await json<WhoAmI>(withSession("GET", "/me"));
    csrf = answer.csrf_token;
    return answer;
  },
  signOut: () => withSession("DELETE", "/session"),
  scopes: () => json<ScopeName[]>(withSession("GET", "/scopes")),
  sessions: () => json<Session[]>(withSession("GET", "/sessions")),
  endSession: (id: number) => withSession("DELETE", `/sessions/${id}`),
  tokens: () => json<Token[]>(withSession("GET", "/personal-access-tokens")),
  createToken: (wanted: unknown) =>
    json<Token & { token: string }>(withSession("POST", "/personal-access-tokens", wanted)),
  deleteToken: (id: number) => withSession("DELETE", `/personal-access-tokens/${id}`),
  authorizations: () => json<Authorization[]>(withSession("GET", "/authorizations")),
  revokeAuthorization: (id: number) => withSession("DELETE", `/authorizations/${id}`),
  changePassword: (wanted: unknown) => withSession("PUT", "/password", wanted),
};

/** What administrators of an account see and do. */
export const administration = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}`;
  const applications = `${at}/oauth-applications`;
  return {
    applications: () => json<Application[]>(withSession("GET", applications)),
    application: (id: number) => json<Application>(withSession("GET", `${applications}/${id}`)),
    createApplication: (wanted: unknown) => json<Application>(withSession("POST", applications, wanted)),
    changeApplication: (id: number, wanted: unknown) =>
      json<Application>(withSession("PATCH", `${applications}/${id}`, wanted)),
    deleteApplication: (id: number) => withSession("DELETE", `${applications}/${id}`),
    addPair: (id: number) => json<ClientPair>(withSession("POST", `${applications}/${id}/clients`)),
    changePair: (id: number, pair: number, disabled: boolean) =>
      withSession("PATCH", `${applications}/${id}/clients/${pair}`, { disabled }),
    deletePair: (id: number, pair: number) => withSession("DELETE", `${applications}/${id}/clients/${pair}`),
    webhooks: () => json<Webhook[]>(withSession("GET", `${at}/webhooks`)),
    webhook: (id: number) => json<Webhook>(withSession("GET", `${at}/webhooks/${id}`)),
    resendVerification: (id: number) => withSession("POST", `${at}/webhooks/${id}/verification`),
    deliveries: (id: number, query: Query) =>
      json<Delivery[]>(withSession("GET", address(`${at}/webhooks/${id}/deliveries`, query))),
    delivery: (id: number, delivery: number) =>
      json<DeliveryDetails>(withSession("GET", `${at}/webhooks/${id}/deliveries/${delivery}`)),
    redeliver: (id: number, wanted: unknown) =>
      json<{ redelivered: number }>(withSession("POST", `${at}/webhooks/${id}/redeliveries`, wanted)),
    mails: () => json<Mail[]>(withSession("GET", `${at}/mails`)),
    receivedMails: () => json<ReceivedMail[]>(withSession("GET", `${at}/received-mails`)),
    emailPolicy: () => json<EmailPolicy>(withSession("GET", `${at}/email-policy`)),
    changeEmailPolicy: (wanted: Partial<EmailPolicy> & { secret?: string | null }) =>
      json<EmailPolicy>(withSession("PATCH", `${at}/email-policy`, wanted)),
    trail: (before: number | null) =>
      json<TrailLine[]>(withSession("GET", `${at}/security-trail${before === null ? "" : `?before=${before}`}`)),
  };
};

// ---- records

let held: { token: string; until: number } | null = null;
let asked: Promise<string> | null = null;

/** One exchange serves all calls that wait for it; a token is given up a minute before it ends. */
function bearer(): Promise<string> {
  if (held !== null && held.until > Date.now()) return Promise.resolve(held.token);
  asked ??= json<{ access_token: string; expires_in: number }>(withSession("POST", "/access-token"))
    .then(({ access_token: token, expires_in: seconds }) => {
      held = { token, until: Date.now() + (seconds - 60) * 1000 };
      return token;
    })
    .finally(() => {
      asked = null;
    });
  return asked;
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function rest(account: string, call: Call, tries = 3): Promise<Response> {
  const headers = { ...call.headers, Authorization: `Bearer ${await bearer()}`, account };
  try {
    return await send({ ...call, path: call.path.startsWith("/") ? `/v1${call.path}` : call.path, headers });
  } catch (error) {
    if (!(error instanceof ApiError) || tries <= 1) throw error;
    // The token may have ended with another session of the same browser.
    if (error.status === 401 && held !== null) {
      held = null;
      return rest(account, call, 1);
    }
    // A short burst is over in a moment; nobody needs to hear of it.
    if (error.status !== 429 || error.retryAfter === null || error.retryAfter > 3) throw error;
    await pause(error.retryAfter);
    return rest(account, call, tries - 1);
  }
}

function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The cursor of a relation in a Link header, as the parameter that leads there. */
function cursorIn(link: string | null, relation: string): string | null {
  const [, url] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link ?? "") ?? [];
  if (url === undefined) return null;
  const query = new URL(url).searchParams;
  return query.get("search_after") ?? query.get("search_before");
}

export const records = (account: string) => ({
  async list(path: string, query?: Query): Promise<Page> {
    const response = await rest(account, { method: "GET", path: address(path, query) });
    const number = (name: string) => Number(response.headers.get(`X-Pagination-${name}`) ?? 0);
    const link = response.headers.get("Link");
    return {
      rows: (await response.json()) as Row[],
      total: number("Total-Entries"),
      page: number("Current-Page"),
      perPage: number("Per-Page"),
      next: cursorIn(link, "next"),
      prev: cursorIn(link, "prev"),
    };
  },
  get: <T = Row>(path: string, query?: Query) => json<T>(rest(account, { method: "GET", path: address(path, query) })),
  create: (path: string, body: unknown) => json<Row>(rest(account, { method: "POST", path, body })),
  /** a question that needs a body */
  ask: <T>(path: string, body: unknown) => json<T>(rest(account, { method: "POST", path, body })),
  change: (path: string, body: unknown) => json<Row>(rest(account, { method: "PATCH", path, body })),
  /** archive, trash, restore, and linking: a POST that says it all in its path */
  act: (path: string) => rest(account, { method: "POST", path }),
  remove: (path: string) => rest(account, { method: "DELETE", path }),
  /** Uploads a file and answers the key to write with a record. */
  async upload(file: File): Promise<{ key: string; filesize: number }> {
    type Storage = { upload_uri: string; provider: string; local: Record<string, string> };
    const storage = await this.get<Storage>("/attachments/storage");
    const form = new FormData();
    form.append("Content-Type", file.type || "application/octet-stream");
    for (const [name, value] of Object.entries(storage.local)) form.append(name, value);
    form.append("file", file, file.name);
    const path = new URL(storage.upload_uri).pathname.replace(/^\/v1/, "");
    const { key } = await json<{ key: string }>(rest(account, { method: "POST", path, body: form }));
    return { key, filesize: file.size };
  },
});
