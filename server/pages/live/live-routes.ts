import type { FastifyInstance } from "fastify";
import { decodeInboxCursor } from "../../actions/inbox/inbox-cursor.ts";
import { loadInbox } from "../../actions/inbox/load-inbox.ts";
import { type InboxTab, inboxTabs } from "../../actions/inbox/work-sources.ts";
import type { EntranceConfig } from "../../api/http/admission/http-admission.ts";
import { BadRequest, Forbidden, Invalid, TooManyRequests } from "../../base/errors.ts";
import type { Params, SignedInVisit } from "../page-routes.ts";
import {
  addSessionRoutes,
  type JsonBody,
  loadSessionCaller,
  requireSignedIn,
  type SessionRoute,
} from "../session-routes.ts";
import type { PagesContext } from "../visit.ts";
import { type LogPosition, parsePosition } from "./change-log.ts";
import { maxStreamsPerPerson } from "./live-hub.ts";
import { listNotifications, markNotificationsRead, setMuted } from "./notification-list.ts";
import { parsePageRecord, requireReadable } from "./page-record.ts";
import type { Doing } from "./presence.ts";
import { markSeen } from "./seen-marks.ts";
import { LiveStream } from "./stream.ts";
import { parseTopics } from "./topics.ts";

// Below /session-api/accounts/:account, for everybody who may work in the account.

// biome-ignore format: a table keeps its columns
const routes: readonly SessionRoute[] = [
  { method: "POST", path: "/presence",           handle: reportPresence },
  { method: "GET",  path: "/inbox",              handle: getInbox },
  { method: "POST", path: "/seen",               handle: async (visit, params, body) => markSeen(visit.pages.engine, await loadSessionCaller(visit, params), parsePageRecord(visit.pages.engine, body)) },
  { method: "GET",  path: "/notifications",      handle: async (visit, params) => listNotifications(visit.pages.engine, await loadSessionCaller(visit, params), visit.query.get("after")) },
  { method: "POST", path: "/notifications/read", handle: async (visit, params, body) => markNotificationsRead(visit.pages.engine, await loadSessionCaller(visit, params), body) },
  { method: "PUT",  path: "/muted/:type/:id",    handle: changeMuted },
];

const config: EntranceConfig = { isUncounted: true };

export function registerLiveRoutes(pages: PagesContext, app: FastifyInstance): void {
  const below = "/accounts/:account";
  addSessionRoutes(
    pages,
    app,
    routes.map((route) => ({ ...route, path: `${below}${route.path}` })),
  );
  app.get(`/session-api${below}/stream`, { config, exposeHeadRoute: false }, async (request, reply) => {
    const visit = await requireSignedIn(pages, request, reply);
    if (!isSameOrigin(visit)) throw new Forbidden();
    const by = await loadSessionCaller(visit, request.params as Params);
    const topics = parseTopics(pages.engine.types, visit.query.get("topics") ?? "");
    if (pages.live.countStreams(by.person) >= maxStreamsPerPerson) throw new TooManyRequests(60);
    const onClose = (stream: LiveStream) => pages.live.remove(stream);
    const stream = new LiveStream(reply, { by, topics, session: visit.session.id, onClose });
    await pages.live.add(stream, parseResumption(visit));
    return reply;
  });
  // Open streams would keep the server from closing.
  app.addHook("preClose", async () => pages.live.close());
}

/** Browsers say where a request comes from; a page of another origin has no business here. */
const isSameOrigin = ({ request }: SignedInVisit): boolean =>
  ["same-origin", "none", undefined].includes(request.headers["sec-fetch-site"] as string | undefined);

/** A browser repeats the id of the last event; another tab that takes over gives it as `last_event_id`. */
function parseResumption({ request, query }: SignedInVisit): LogPosition | "unknown" | null {
  const given = request.headers["last-event-id"] ?? query.get("last_event_id") ?? "";
  return given === "" ? null : (parsePosition(String(given)) ?? "unknown");
}

const doings: readonly string[] = ["viewing", "writing", "gone"];

async function reportPresence(visit: SignedInVisit, params: Params, body: JsonBody): Promise<void> {
  const { engine, live } = visit.pages;
  const by = await loadSessionCaller(visit, params);
  const record = parsePageRecord(engine, body);
  if (typeof body.doing !== "string" || !doings.includes(body.doing)) throw new Invalid([["doing", "is not valid"]]);
  if (by.roles.size === 0) throw new Forbidden();
  await requireReadable(engine, by, record);
  const { type, id } = record;
  const doing = body.doing as Doing | "gone";
  live.announcePresence({ account: by.account, type: type.name, id, person: by.person, name: by.me.name, doing });
}

async function getInbox(visit: SignedInVisit, params: Params): Promise<unknown> {
  const { query, pages } = visit;
  const by = await loadSessionCaller(visit, params);
  const tab = query.get("tab") ?? "mine";
  if (!inboxTabs.includes(tab as InboxTab)) throw new BadRequest("Invalid value for parameter 'tab'");
  const perPage = query.get("per_page") ?? "50";
  if (!/^([1-9]\d?|100)$/.test(perPage)) throw new BadRequest("Invalid value for parameter 'per_page'");
  const after = query.get("after");
  return loadInbox(pages.engine, by, {
    tab: tab as InboxTab,
    after: after === null || after === "" ? null : decodeInboxCursor(after),
    perPage: Number(perPage),
  });
}

async function changeMuted(visit: SignedInVisit, params: Params, body: JsonBody): Promise<void> {
  const { engine } = visit.pages;
  const by = await loadSessionCaller(visit, params);
  const id = /^[1-9]\d{0,9}$/.test(params.id ?? "") ? Number(params.id) : undefined;
  const record = parsePageRecord(engine, { type: params.type, id });
  await requireReadable(engine, by, record);
  await setMuted(engine, by, record, body.muted);
}
