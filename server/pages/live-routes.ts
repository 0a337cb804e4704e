import type { FastifyInstance } from "fastify";
import { presenceOperations } from "../../records/answers/session.ts";
import type { EntranceConfig } from "../api/http/admission/http-admission.ts";
import { Forbidden, Invalid, TooManyRequests } from "../base/errors.ts";
import { parseRecordKey, requireReadable } from "../engine/read/record-key.ts";
import { type LogPosition, parsePosition } from "../live/change-log.ts";
import { maxStreamsPerPerson } from "../live/live-hub.ts";
import type { Doing } from "../live/presence.ts";
import { LiveStream } from "../live/stream.ts";
import { parseTopics } from "../live/topics.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { addSessionRoutes, type JsonBody, loadSessionCaller, requireSignedIn, serveSession } from "./session-routes.ts";
import type { PagesContext } from "./visit.ts";

// Below /session-api/accounts/:account, for everyone who may work in the account.

const config: EntranceConfig = { isUncounted: true };

export function registerLiveRoutes(pages: PagesContext, app: FastifyInstance): void {
  const below = "/accounts/:account";
  const routes = serveSession(presenceOperations, { "POST /accounts/:account/presence": reportPresence });
  addSessionRoutes(pages, app, routes);
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
  const record = parseRecordKey(engine, body);
  if (typeof body.doing !== "string" || !doings.includes(body.doing)) throw new Invalid([["doing", "is not valid"]]);
  if (by.roles.size === 0) throw new Forbidden();
  await requireReadable(engine, by, record);
  const { type, id } = record;
  const doing = body.doing as Doing | "gone";
  live.announcePresence({ account: by.account, type: type.name, id, person: by.person, name: by.me.name, doing });
}
