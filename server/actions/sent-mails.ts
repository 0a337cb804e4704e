import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Page } from "../engine/list.ts";
import { byInteger, isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";

export const mailStates = ["waiting", "sent", "failed", "gathered", "digested"];

/** What was written to people, newest first. The text of a sent mail is not kept. */
export const listMails = (engine: Engine, by: Caller, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "mails",
    table: "mails a",
    joins: "LEFT JOIN people p ON p.id = a.person_id",
    columns: `a.id, a.recipient, a.subject, a.body, date_trunc('second', a.created_at) AS created_at, date_trunc('second', a.sent_at) AS sent_at, a.state, a.tries, a.error,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.name) END AS person,
  CASE WHEN a.record_id IS NOT NULL THEN json_build_object('type', a.record_type, 'id', a.record_id) END AS record`,
    where: isEqual("account_id", by.account),
    filters: { recipient: (text) => isEqual("recipient", text), person: byInteger("person_id") },
    states: mailStates,
  });
