import { type Answers, ListPart, type PageCall, type Records, Refusal } from "./answers.ts";
import { RecordStore } from "./record-store.ts";

// Replaces the server in component tests, below web/api/call.ts, the only module that fetches. Everything above runs as
// in a browser.

type Given = { answers: Answers; records: Records; frame: Answers };
type Match = { key: string; answer: unknown };

const toPattern = (path: string): RegExp => new RegExp(`^${path.replace(/[.$+]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`);

/** Finds the most specific key: an exact path before one with parameters. */
function findKey(answers: Answers, method: string, path: string): Match | undefined {
  const exact = `${method} ${path}`;
  const keys = Object.keys(answers).filter((key) => key.startsWith(`${method} `));
  const key = keys.find((each) => each === exact) ?? keys.find((each) => toPattern(each).test(exact));
  return key === undefined ? undefined : { key, answer: Reflect.get(answers, key) };
}

export class Server {
  readonly calls: PageCall[] = [];
  readonly unanswered: string[] = [];
  readonly streams: Stream[] = [];
  private readonly given: Given;
  private readonly store: RecordStore;

  constructor(given: Given) {
    this.given = given;
    this.store = new RecordStore(given.records);
  }

  async respond(method: string, address: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, searchParams } = new URL(address, location.origin);
    const path = pathname.replace(/^\/v1(?=\/)/, "");
    const body = typeof init.body === "string" && init.body !== "" ? JSON.parse(init.body) : init.body;
    if (path === "/session-api/reads") return this.respondToReads(body);
    const headers = Object.fromEntries(new Headers(init.headers));
    const call: PageCall = { method, path, query: Object.fromEntries(searchParams), body, headers };
    this.calls.push(call);
    return this.toResponse(call, await this.pickAnswer(call));
  }

  /** Responds to several reads in one call. */
  private async respondToReads({ paths }: { paths: readonly string[] }): Promise<Response> {
    const responses = await Promise.all(paths.map((path) => this.respond("GET", path)));
    const entries = responses.map(async (response) => ({
      ...{ status: response.status, headers: Object.fromEntries(response.headers) },
      body: response.status === 204 ? null : await response.json(),
    }));
    return Response.json(await Promise.all(entries));
  }

  private async pickAnswer(call: PageCall): Promise<unknown> {
    const { answers, frame } = this.given;
    const match = findKey(answers, call.method, call.path);
    if (match !== undefined) return typeof match.answer === "function" ? match.answer(call) : match.answer;
    const stored = this.store.answer(call);
    if (stored !== undefined) return stored;
    const usual = findKey(frame, call.method, call.path);
    if (usual !== undefined) return typeof usual.answer === "function" ? usual.answer(call) : usual.answer;
    this.unanswered.push(`${call.method} ${call.path}`);
    return new Refusal(404, { message: `The test has no response to ${call.method} ${call.path}.` });
  }

  private toResponse(call: PageCall, answer: unknown): Response {
    if (answer instanceof Response) return answer;
    if (answer instanceof Refusal)
      return Response.json(answer.body, { status: answer.status, headers: answer.headers });
    if (answer === undefined) return new Response(null, { status: 204 });
    const rows = answer instanceof ListPart ? answer.rows : answer;
    if (!Array.isArray(rows)) return Response.json(answer, { headers: { "X-Revision": "1" } });
    const part = answer instanceof ListPart ? answer : new ListPart(rows, rows.length);
    const headers = new Headers({ "X-Pagination-Total-Entries": String(part.total) });
    headers.set("X-Pagination-Current-Page", "1");
    headers.set("X-Pagination-Per-Page", call.query.per_page ?? "25");
    if (part.next !== undefined) headers.set("Link", `<${location.origin}${part.next}>; rel="next"`);
    return Response.json(rows, { headers });
  }

  callsOf(key: string): readonly PageCall[] {
    const [method = "", path = ""] = key.split(" ");
    return this.calls.filter((call) => call.method === method && toPattern(path).test(call.path));
  }

  /** Emits an event of the change stream. */
  emit(name: string, data: object): void {
    const event = new MessageEvent(name, { data: JSON.stringify(data), lastEventId: "2" });
    for (const stream of this.streams.filter(({ readyState }) => readyState === 1)) stream.dispatchEvent(event);
  }
}

let current: Server | null = null;
export const serveBy = (server: Server | null): void => {
  current = server;
};

/** The change stream: it opens immediately and sends nothing until the test emits an event. */
class Stream extends EventTarget {
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor() {
    super();
    current?.streams.push(this);
    queueMicrotask(() => {
      this.onopen?.();
      this.dispatchEvent(new Event("open"));
    });
  }
  close(): void {
    this.readyState = 2;
  }
}

/** Replaces fetch and EventSource. A closed page may still make calls, which are rejected. */
export function installServer(): void {
  const respond = (address: string | URL, init: RequestInit = {}): Promise<Response> =>
    current === null
      ? Promise.reject(new TypeError("No test is running."))
      : current.respond(init.method ?? "GET", String(address), init);
  Object.assign(globalThis, { fetch: respond, EventSource: Stream });
}
