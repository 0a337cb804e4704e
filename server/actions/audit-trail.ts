import { Forbidden } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireRecord } from "../engine/find.ts";
import { list, type Page } from "../engine/list.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { allOf, type Clause, oneOfAccounts } from "../engine/sql/clauses.ts";
import type { Type } from "../engine/types.ts";

const auditFields = ["id", "action", "created_at", "created_by", "user", "changes"];

/** 403 for people whose only role is key contact, even where they may read the record. */
export async function requireAuditedRecord(engine: Engine, by: Caller, type: Type, id: number): Promise<void> {
  await requireRecord(engine, by, type, id, "read");
  if (!mayReadAuditTrail(by)) throw new Forbidden();
}

export const mayReadAuditTrail = (by: Caller): boolean => [...by.roles].some((role) => role !== "key_contact");

/** The audit trail of one record, newest first. */
export async function listAuditTrail(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  query: ListQuery,
): Promise<Page> {
  const ofRecord: Clause = {
    key: "of a record",
    sql: (alias, next) => `${alias}.record_id = ${next()} AND ${alias}.audited = ${next()}`,
    values: [id, type.name],
  };
  // Every account that works on a shared record has a trail of its own.
  const clause =
    type.sharing.perAccount.length === 0 ? ofRecord : allOf([ofRecord, oneOfAccounts("account_id", [by.account])]);
  const page = await list(
    engine,
    by,
    engine.types.get("audit_line"),
    { ...query, fields: query.fields ?? auditFields },
    { clause, rights: "of the parent" },
  );
  const hidden = findHiddenFields(type, by);
  return hidden.length === 0 ? page : { ...page, records: page.records.map((json) => removeChanges(json, hidden)) };
}

/** Confidential fields that the caller may not read: the trail must not show their values either. */
export const findHiddenFields = (type: Type, by: Caller): string[] =>
  Object.entries(type.fields).flatMap(([name, field]) =>
    field.confidential !== undefined && !field.confidential.roles.some((role) => by.roles.has(role)) ? [name] : [],
  );

function removeChanges(json: string, hidden: readonly string[]): string {
  const line = JSON.parse(json) as { changes?: Record<string, unknown> }; // the serializer of audit lines wrote it
  for (const name of hidden) delete line.changes?.[name];
  return JSON.stringify(line);
}
