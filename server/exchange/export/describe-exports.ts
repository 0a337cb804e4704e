import { buildReference } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Page } from "../../engine/list.ts";
import { isEqual, listNewestFirst } from "../../engine/newest-first.ts";
import type { ListQuery } from "../../engine/read/list-query.ts";
import { buildDownloadUrl, type Exchange, retentionSeconds } from "../exchange-context.ts";

// The exports of an account, for its administrators.

type Entry = { id: number; file: string | null; finished_at: string | null };

/** `again_at`: when a type that was refused, because it was exported today, can be exported again. */
export async function listExports(exchange: Exchange, by: Caller, query: ListQuery): Promise<Page> {
  const { engine } = exchange;
  const page = await listNewestFirst(engine, by, query, {
    name: "exports",
    table: "exports a",
    columns: `a.id, a.token, a.types, a.format, date_trunc('second', a.changed_since) AS "from", a.state, a.type, a.line, a.file, a.exceeded AS rate_limit_exceeded,
  CASE WHEN a.exceeded IS NOT NULL THEN (SELECT date_trunc('second', max(e.finished_at)) + interval '1 day' FROM exports e
    WHERE e.account_id = a.account_id AND a.exceeded = ANY(e.large_types)) END AS again_at,
  ${buildReference("people", "a.person_id")} AS person, a.created_at, date_trunc('second', a.finished_at) AS finished_at`,
    where: isEqual("account_id", by.account),
  });
  const now = engine.clock.now().getTime();
  return {
    ...page,
    records: page.records.map((text) => {
      const { id: _, file, ...entry } = JSON.parse(text) as Entry;
      const finished = entry.finished_at === null ? null : new Date(entry.finished_at);
      const isKept = file !== null && finished !== null && now - finished.getTime() <= retentionSeconds * 1000;
      const url = isKept ? { url: buildDownloadUrl(exchange, by.origin, file, finished) } : {};
      return JSON.stringify({ ...entry, ...url });
    }),
  };
}
