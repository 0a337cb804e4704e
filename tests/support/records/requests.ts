import type { TypeName } from "../../../records/index.ts";
import { prepareChange } from "../../../server/engine/change.ts";
import { loadServiceCaller } from "../../../server/engine/service-caller.ts";
import { lockActiveValues } from "../../../server/engine/write/lock.ts";
import type { Client, Reply, World } from "../world.ts";
import { RequestBodies } from "./request-bodies.ts";

// Helpers for stories about requests, problems and related types.

type Members = Record<string, unknown>;

export function requestHelpers({ as, sql, service }: World) {
  const admin = as("administrator");
  const { engine } = service;
  const bodies = new RequestBodies(admin, engine.types);
  const create = (type: string, members: Members = {}): Promise<Reply["body"]> =>
    bodies.make(engine.types.get(type), members);

  async function request(members: Members = {}, by: Client = admin) {
    const { status, body, text } = await by.post("/requests", { category: "other", ...members });
    if (status !== 201) throw new Error(text);
    return { ...body, path: `/requests/${body.id}` };
  }
  async function team(...members: number[]): Promise<number> {
    const { id } = await create("team");
    for (const member of members) await admin.post(`/teams/${id}/members/${member}`);
    return id;
  }
  const load = async (path: string, by = admin) => (await by.get(path)).body;
  const texts = async (path: string, by = admin): Promise<string[]> =>
    (await by.get(`${path}/notes`)).body.map((note: { text: string }) => note.text);
  const loadEvents = async (type: string, id: number): Promise<string[]> =>
    (
      await sql<{ event: string }>("SELECT event FROM events WHERE record_type = $1 AND record_id = $2 ORDER BY id", [
        type,
        id,
      ])
    ).map(({ event }) => event);
  const mails = async (): Promise<{ recipient: string; subject: string }[]> => {
    await service.notificationDispatcher.runDue();
    return sql("SELECT recipient, subject FROM mails ORDER BY id");
  };

  /** A change made by a rule instead of a caller. */
  async function changeByRule(type: TypeName, id: number, values: Members): Promise<void> {
    await engine.database.transaction(async (tx) => {
      const by = await loadServiceCaller(tx, "widget-it", engine.clock.now());
      const of = engine.types.get(type);
      const before = await lockActiveValues(engine, tx, of, id, "widget-it");
      if (before === null) throw new Error(`no ${type} ${id}`);
      const cause = prepareChange({ engine, tx, by, type: of }, { id, account: "widget-it", before }, {});
      await cause.update(type, id, values as never);
      await cause.publishInOrder(async () => {});
    });
  }
  return { admin, bodies, create, request, team, load, texts, loadEvents, mails, changeByRule };
}
