import type { NotificationPage, PageNotification } from "../../records/answers/notifications.ts";
import { BadRequest, Invalid } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { jsonStatement, queryRows } from "../database/rows.ts";
import { type Caller, listReachableAccounts } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { ReadableRecords } from "../engine/read/readable-records.ts";
import { type RecordKey, requireReadable } from "../engine/read/record-key.ts";
import type { Type } from "../engine/types.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { countUnreadNotifications } from "./page-notifications.ts";

// The list behind the bell. Rights may have changed since a notification was stored: what a person may not read any more
// is left out.

type NotificationRow = Omit<PageNotification, "type" | "record"> & { record_type: string; record_id: number };

const perPage = 50;
const select = jsonStatement<NotificationRow>(
  `SELECT n.id, n.kind, n.record_type, n.record_id, n.note_id, n.created_at, n.read_at,
  (SELECT json_build_object('id', p.id, 'name', p.name) FROM people p WHERE p.id = n.by_id) AS by,
  EXISTS (SELECT 1 FROM muted_records m WHERE m.person_id = n.person_id AND m.record_id = n.record_id AND m.record_type = n.record_type AND m.account_id = n.account_id) AS muted
FROM page_notifications n WHERE n.person_id = $1 AND n.account_id = $2 AND n.id < $3 ORDER BY n.id DESC LIMIT ${perPage + 1}`,
);

/** `mayRead`: whether the scopes of the token allow a type. */
export async function listNotifications(
  engine: Engine,
  by: Caller,
  after: string | undefined,
  mayRead: (type: Type) => boolean,
): Promise<NotificationPage> {
  if (after !== undefined && !/^\d{1,10}$/.test(after)) throw new BadRequest("Invalid value for parameter 'after'");
  const before = Math.min(Number(after ?? 2 ** 31 - 1), 2 ** 31 - 1);
  const rows = await queryRows(engine.database, select, [by.person, by.account, before]);
  const page = rows.slice(0, perPage);
  const names = await loadNames(engine, by, page, mayRead);
  return {
    unread: await countUnreadNotifications(engine.database, by),
    items: page.flatMap(({ record_type: type, record_id: record, ...row }) => {
      const name = names.get(`${type}/${record}`);
      return name === undefined ? [] : [{ ...row, type, record: { id: record, name } }];
    }),
    next: rows.length > perPage ? String(page.at(-1)?.id) : null,
  };
}

/** The names of the records that the person may read. */
async function loadNames(
  engine: Engine,
  by: Caller,
  rows: readonly NotificationRow[],
  mayRead: (type: Type) => boolean,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const readable = new ReadableRecords(engine);
  const notes = rows.flatMap(({ note_id }) => (note_id === null ? [] : [note_id]));
  const readableNotes = notes.length === 0 ? null : await readable.load(by, engine.types.get("note"), notes);
  for (const typeName of new Set(rows.map(({ record_type }) => record_type))) {
    if (!engine.types.has(typeName)) continue;
    const type = engine.types.get(typeName);
    if (!mayRead(type)) continue;
    const ofType = rows.filter(
      ({ record_type, note_id }) => record_type === typeName && (note_id === null || readableNotes?.has(note_id)),
    );
    const allowed = [
      ...(
        await readable.load(
          by,
          type,
          ofType.map(({ record_id }) => record_id),
        )
      ).keys(),
    ];
    const display = type.display === "id" ? "id" : quoteIdentifier(type.columns.get(type.display) ?? "id");
    const ofAccounts = type.placement === "account" ? " AND account_id = ANY($2::text[])" : "";
    const found = await engine.database.read(
      statement(`SELECT id, ${display} FROM ${type.table} WHERE id = ANY($1::integer[])${ofAccounts}`),
      ofAccounts === "" ? [allowed] : [allowed, listReachableAccounts(by)],
    );
    for (const [id, name] of found) names.set(`${typeName}/${id}`, name ?? "");
  }
  return names;
}

const readAll = statement(
  "UPDATE page_notifications SET read_at = $3 WHERE person_id = $1 AND account_id = $2 AND read_at IS NULL",
);
const readSome = statement(
  "UPDATE page_notifications SET read_at = $3 WHERE person_id = $1 AND account_id = $2 AND read_at IS NULL AND id = ANY($4::integer[])",
);

/** `ids`: those alone; without them all. */
export async function markNotificationsRead(
  engine: Engine,
  by: Caller,
  { ids }: { ids?: unknown },
): Promise<{ unread: number }> {
  const now = engine.clock.now().toISOString();
  if (ids === undefined) await engine.database.change(readAll, [by.person, by.account, now]);
  else {
    const isId = (id: unknown): id is number =>
      typeof id === "number" && Number.isInteger(id) && id > 0 && id < 2 ** 31;
    if (!Array.isArray(ids) || ids.length > 1000 || !ids.every(isId)) throw new Invalid([["ids", "is not valid"]]);
    await engine.database.change(readSome, [by.person, by.account, now, ids]);
  }
  return { unread: await countUnreadNotifications(engine.database, by) };
}

const mute = statement(
  "INSERT INTO muted_records (account_id, person_id, record_type, record_id, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
);
const unmute = statement(
  "DELETE FROM muted_records WHERE account_id = $1 AND person_id = $2 AND record_type = $3 AND record_id = $4",
);

export async function setMuted(engine: Engine, by: Caller, record: RecordKey, muted: unknown): Promise<void> {
  await requireReadable(engine, by, record);
  if (typeof muted !== "boolean") throw new Invalid([["muted", "must be true or false"]]);
  const key = [by.account, by.person, record.type.name, record.id];
  await (muted
    ? engine.database.change(mute, [...key, engine.clock.now().toISOString()])
    : engine.database.change(unmute, key));
}
