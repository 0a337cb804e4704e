import { Forbidden } from "../../../base/errors.ts";
import type { Caller } from "../../../engine/caller.ts";
import { requireRecord } from "../../../engine/find.ts";
import { list } from "../../../engine/list.ts";
import { allOf, type Clause, oneOfAccounts } from "../../../engine/sql/clauses.ts";
import type { Type } from "../../../engine/types.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";

const auditFields = ["id", "action", "created_at", "created_by", "user", "changes"];

/** GET /<collection>/:id/audit: the trail of one record, newest first, for everyone with a role who may see the record. */
export function auditRoute(api: Api, type: Type): Route {
  const lines = api.engine.types.get("audit_line");
  return {
    method: "GET",
    path: `/${type.collection}/:id/audit`,
    scope: { type: type.scopeName, action: "Read" },
    async handle(call) {
      const id = parseRecordId(call.params.id, type, api.domain);
      await requireRecord(call.engine, call.caller, type, id, "read");
      if (![...call.caller.roles].some((role) => role !== "key_contact")) throw new Forbidden();
      const clause: Clause = {
        key: "of a record",
        sql: (alias, next) => `${alias}.record_id = ${next()} AND ${alias}.audited = ${next()}`,
        values: [id, type.name],
      };
      // Where several accounts work on a record, each has a trail of its own.
      const here = oneOfAccounts("account_id", [call.caller.account]);
      const query = parseListQuery(call.query, null);
      const page = await list(
        call.engine,
        call.caller,
        lines,
        { ...query, fields: query.fields ?? auditFields },
        { clause: type.perAccount.length === 0 ? clause : allOf([clause, here]), rights: "of the parent" },
      );
      const hidden = findHiddenFields(type, call.caller);
      const records = hidden.length === 0 ? page.records : page.records.map((json) => removeChanges(json, hidden));
      return respondWithPage(call, { ...page, records }, query.perPage);
    },
  };
}

/** Fields whose values the caller may not see: the trail must not tell them either. */
const findHiddenFields = (type: Type, by: Caller): string[] =>
  Object.entries(type.fields).flatMap(([name, field]) =>
    field.confidential !== undefined && !field.confidential.roles.some((role) => by.roles.has(role)) ? [name] : [],
  );

function removeChanges(json: string, hidden: readonly string[]): string {
  const line = JSON.parse(json) as { changes?: Record<string, unknown> };
  for (const name of hidden) delete line.changes?.[name];
  return JSON.stringify(line);
}
