import type { Type, Types } from "../../../server/engine/types.ts";
import type { Client, Reply } from "../clients/json-client.ts";
import { allows, RequestBodies } from "../records/request-bodies.ts";
import type { Noise } from "./noise.ts";

// Every attempt to use the ID of another account's record, over all entrances. The response must equal, character by character,
// the one for an ID that was never assigned.

export type KnownRecords = Map<string, { id: number; path: string }>;

/** An id that no record has. */
export const never = 2_000_000_000;

/** Creates one record of every type; returns its ID and the path of its collection. */
export async function createRecords(client: Client, types: Types): Promise<KnownRecords> {
  const bodies = new RequestBodies(client, types);
  const made: KnownRecords = new Map();
  for (const type of types.all) {
    if (!allows(types, type, "create")) continue;
    const path = await bodies.path(type);
    const reply = await bodies.post(type, {}, path);
    made.set(type.name, { id: reply.body.id, path });
  }
  return made;
}

/** A person's clients: for the REST API, and for a browser. */
export type Intruder = { name: string; api: Client; browser: Client | null };

export type Attempt = {
  name: string;
  /** returns null if this intruder has no such entrance */
  send(intruder: Intruder, id: number): Promise<Reply> | null;
};

type Send = (client: Client, id: number) => Promise<Reply>;

class AttemptList {
  readonly attempts: Attempt[] = [];
  private readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  add(name: string, send: Send): void {
    this.attempts.push({ name: `${this.prefix}: ${name}`, send: ({ api }, id) => send(api, id) });
  }

  addToBrowser(name: string, send: Send): void {
    this.attempts.push({
      name: `${this.prefix}: browser, ${name}`,
      send: ({ browser }, id) => (browser === null ? null : send(browser, id)),
    });
  }
}

type Route = { method: string; path: string };

/** `ours`: the intruders' own records; `account`: their account; `routes`: all routes of the REST API. */
export function listAttempts(
  types: Types,
  type: Type,
  ours: KnownRecords,
  { account, routes }: { account: string; routes: readonly Route[] },
): Attempt[] {
  const list = new AttemptList(type.name);
  if (type.ownedBy.length === 0) {
    addDirectAttempts(list, type, ours);
    addCallAttempts(list, type, routes);
  } else addAttemptsBelowOurs(list, type, ours);
  addAttemptsAsTarget(list, types, type, ours);
  addBrowserAttempts(list, type, account);
  return list.attempts;
}

const moves = ["archive", "trash", "restore", "avatar"];
const listBelow = (type: Type): string[] => Object.keys({ ...type.links, ...type.children, ...type.lists });

/** Path names of types in the portal that differ from the collection. */
const portalNames: Readonly<Record<string, string>> = {
  request_template: "forms",
  task: "approvals",
  knowledge_article: "articles",
  shop_order_line: "cart",
};

/** Calls without a declaration, such as GET /workflows/:id/graph and GET /portal/requests/:id. */
function addCallAttempts(list: AttemptList, type: Type, routes: readonly Route[]): void {
  const known = new Set([...listBelow(type), ...moves, "audit"]);
  const inPortal = `/portal/${portalNames[type.name] ?? type.collection}/:id`;
  const pattern = new RegExp(`^/${type.collection}/:id/([^/:]+)|^${inPortal}(?:/|$)`);
  for (const { method, path } of routes) {
    const match = pattern.exec(path);
    if (match === null || known.has(match[1] ?? "")) continue;
    const members = method === "GET" ? undefined : {};
    list.add(`${method} ${path}`, (client, id) =>
      client.send(method, path.replace(":id", String(id)).replaceAll(/:\w+/g, String(never)), members),
    );
  }
}

function addDirectAttempts(list: AttemptList, type: Type, ours: KnownRecords): void {
  const at = (id: number) => `/${type.collection}/${id}`;
  const below = listBelow(type).map((name) => `/${name}`);
  for (const suffix of ["", "?fields=id", "?fields=nonsense", "/audit", ...below])
    list.add(`GET ${suffix}`, (client, id) => client.get(at(id) + suffix));
  for (const method of ["PATCH", "PUT"])
    list.add(method, (client, id) => client.send(method, at(id), { name: "x", subject: "x", disabled: true }));
  list.add("PATCH with a body that is no JSON", (client, id) => client.send("PATCH", at(id), "{"));
  list.add("PATCH if it is unchanged", (client, id) => client.patch(at(id), { name: "x" }, { "If-Match": '"1"' }));
  list.add("DELETE", (client, id) => client.delete(at(id)));
  for (const move of moves) list.add(move, (client, id) => client.post(`${at(id)}/${move}`, {}));
  if (type.filterable.includes("id")) {
    list.add("filter by id", (client, id) => client.get(`/${type.collection}?id=${id}`));
    list.add("filter by ids", (client, id) => client.get(`/${type.collection}?ids=${id},${never - 1}`));
  }
  for (const [name, child] of Object.entries(type.children)) {
    const other = ours.get(child.of)?.id ?? never;
    const members = { name: "x", label: "work", telephone: "1" };
    list.add(`create ${name}`, (client, id) => client.post(`${at(id)}/${name}`, members));
    list.add(`move ${name}`, (client, id) => client.patch(`${at(id)}/${name}/${other}`, { name: "x" }));
    list.add(`delete all ${name}`, (client, id) => client.delete(`${at(id)}/${name}`));
  }
  for (const [name, link] of Object.entries(type.links)) {
    const other = ours.get(link.to)?.id ?? never;
    list.add(`link ${name}`, (client, id) => client.post(`${at(id)}/${name}/${other}`));
    list.add(`unlink ${name}`, (client, id) => client.delete(`${at(id)}/${name}/${other}`));
    list.add(`unlink all ${name}`, (client, id) => client.delete(`${at(id)}/${name}`));
  }
}

/** Their child record, reached through our parent record. */
function addAttemptsBelowOurs(list: AttemptList, type: Type, ours: KnownRecords): void {
  const path = ours.get(type.name)?.path ?? "/none";
  for (const method of ["GET", "PATCH", "PUT", "DELETE"])
    list.add(`${method} below our parent`, (client, id) =>
      client.send(method, `${path}/${id}`, method === "GET" ? undefined : { name: "x" }),
    );
}

/** Their record as the target of references, filters and links of our records. */
function addAttemptsAsTarget(list: AttemptList, types: Types, type: Type, ours: KnownRecords): void {
  for (const other of types.all) {
    const own = ours.get(other.name);
    if (own === undefined) continue;
    for (const [name, field] of Object.entries(other.fields)) {
      const isReference = field.kind === "reference" || field.kind === "references";
      if (!isReference || field.to !== type.name || field.internal || field.access === "readonly") continue;
      const value = (id: number) => ({ [name]: field.kind === "references" ? [id] : id });
      list.add(`as ${other.name}.${name}`, (client, id) => client.patch(`${own.path}/${own.id}`, value(id)));
      if (!other.filterable.includes(name)) continue;
      list.add(`filter ${other.collection} by ${name}`, (client, id) => client.get(`${own.path}?${name}=${id}`));
      list.add(`filter ${other.collection} by all but ${name}`, (client, id) =>
        client.get(`${own.path}?${name}=!${id}&fields=id&per_page=3`),
      );
    }
    for (const [name, link] of Object.entries(other.links))
      if (link.to === type.name && other.ownedBy.length === 0) {
        list.add(`link to ${other.name}.${name}`, (client, id) => client.post(`${own.path}/${own.id}/${name}/${id}`));
        list.add(`unlink from ${other.name}.${name}`, (client, id) =>
          client.delete(`${own.path}/${own.id}/${name}/${id}`),
        );
      }
  }
}

/** Calls of the pages beyond records: seen, mute, drafts, kept items and the stream. */
function addBrowserAttempts(list: AttemptList, type: Type, account: string): void {
  const at = `/accounts/${account}`;
  const { name } = type;
  list.add("seen", (client, id) => client.post("/inbox/seen", { type: name, id }));
  for (const doing of ["viewing", "writing", "gone"])
    list.addToBrowser(`presence ${doing}`, (client, id) => client.post(`${at}/presence`, { type: name, id, doing }));
  for (const muted of [true, false])
    list.add(`muted ${muted}`, (client, id) => client.put(`/notifications/muted/${name}/${id}`, { muted }));
  list.add("notifications read", (client, id) => client.post("/notifications/read", { ids: [id] }));
  for (const kind of ["draft", "view"]) {
    const path = (id: number) => `/kept_items/${kind}/${name}-${id}`;
    list.add(`GET kept ${kind}`, (client, id) => client.get(path(id)));
    list.add(`DELETE kept ${kind}`, (client, id) => client.delete(path(id)));
    list.add(`kept ${kind} of others`, (client, id) => client.get(`/kept_items/${kind}?owner=${id}`));
  }
  list.add("suggestions", (client, id) => client.get(`/suggestions?text=x&for=${id}`));
  list.add("inbox behind it", (client, id) => client.get(`/inbox?after=${id}`));
  for (const page of ["webhooks", "oauth-applications", "webhooks/1/deliveries", "dead-jobs"])
    list.addToBrowser(page, (client, id) => client.get(`${at}/${page}/${id}`));
  for (const page of ["webhooks", "oauth-applications", "mails", "security-trail"])
    list.addToBrowser(`${page} of their account`, (client, id) =>
      client.get(`/accounts/${id === never ? "no-such-account" : "stranger"}/${page}`),
    );
  const pickAccount = (id: number) => ({ account: id === never ? "no-such-account" : "stranger" });
  for (const page of [
    "portal",
    "portal/articles/search?text=x",
    "portal/reservations",
    "inbox",
    "notifications",
    "kept_items/draft",
    "settings_overview",
    "trail_counts",
    "sample_work",
  ])
    list.add(`${page} of their account`, (client, id) => client.get(`/${page}`, pickAccount(id)));
  list.add("removal of the sample work of their account", (client, id) =>
    client.delete("/sample_work?name=Stranger%20Things", pickAccount(id)),
  );
  list.add("account of theirs", (client, id) => client.get(`/${type.collection}`, pickAccount(id)));
}

/** Everything that a caller can see of a response, with the requested ID masked. */
const describeReply = (reply: Reply, id: number): string =>
  JSON.stringify({
    status: reply.status,
    text: reply.text.replaceAll(String(id), "ID"),
    total: reply.headers.get("x-pagination-total-entries"),
    link: reply.headers.get("link")?.replaceAll(String(id), "ID"),
  });

export type IsolationPlan = {
  attempts: readonly { attempt: Attempt; id: number }[];
  intruders: readonly Intruder[];
  count: number;
  parallel: number;
};

/** Tries `count` attempts, each with the foreign and with the unassigned ID. Returns the differences. */
export async function tryAttempts(
  noise: Noise,
  { attempts, intruders, count, parallel }: IsolationPlan,
): Promise<string[]> {
  const leaks: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      // Takes the attempts in turn, each with an intruder who has the entrance.
      const { attempt, id } = attempts[next++ % attempts.length] as IsolationPlan["attempts"][number];
      let intruder = noise.pick(intruders);
      let first = attempt.send(intruder, id);
      while (first === null) {
        intruder = noise.pick(intruders);
        first = attempt.send(intruder, id);
      }
      const foreign = await first;
      const nothing = (await attempt.send(intruder, never)) as Reply;
      if (describeReply(foreign, id) !== describeReply(nothing, never))
        leaks.push(
          `${intruder.name}, ${attempt.name}: ${foreign.status} ${foreign.text.slice(0, 200)} instead of ${nothing.status} ${nothing.text.slice(0, 200)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return leaks;
}

export type TimingComparison = {
  /** median in milliseconds, for a foreign record and for an unassigned ID */
  foreign: number;
  none: number;
  /** the distance of the means in standard errors, and the same for two halves of equal calls */
  distance: number;
  noise: number;
};

/** Compares response times, which could reveal that a record exists. Calls alternate, and the slowest tenth is dropped. */
export async function compareTimes(
  ask: (id: number) => Promise<unknown>,
  foreignId: number,
  rounds: number,
): Promise<TimingComparison> {
  const times: Record<"foreign" | "none" | "again", number[]> = { foreign: [], none: [], again: [] };
  const kinds = ["foreign", "none", "again"] as const;
  for (let round = 0; round < rounds; round++)
    for (let n = 0; n < kinds.length; n++) {
      const kind = kinds[(n + round) % kinds.length] as (typeof kinds)[number];
      const start = performance.now();
      await ask(kind === "foreign" ? foreignId : never - (kind === "none" ? 0 : 1));
      times[kind].push(performance.now() - start);
    }
  const [foreign, none, again] = kinds.map((kind) => summarize(times[kind])) as [Summary, Summary, Summary];
  return {
    foreign: foreign.median,
    none: none.median,
    distance: measureDistance(foreign, none),
    noise: measureDistance(again, none),
  };
}

type Summary = { median: number; mean: number; squaredError: number };

function summarize(times: readonly number[]): Summary {
  const fastest = times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * 0.9));
  const mean = fastest.reduce((sum, time) => sum + time, 0) / fastest.length;
  const variance = fastest.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (fastest.length - 1);
  return { median: fastest[Math.floor(times.length / 2)] ?? 0, mean, squaredError: variance / fastest.length };
}

const measureDistance = (one: Summary, other: Summary): number =>
  Math.abs(one.mean - other.mean) / Math.sqrt(one.squaredError + other.squaredError);
