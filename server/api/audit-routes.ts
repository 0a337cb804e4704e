import { Forbidden } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { allOf, type Clause, oneOfAccounts } from "../engine/clauses.ts";
import { requireRecord } from "../engine/find.ts";
import { list } from "../engine/list.ts";
import type { Type } from "../engine/types.ts";
import type { Route } from "./call.ts";
import { idOf } from "./identifiers.ts";
import { pageAnswer } from "./paging.ts";
import { listQuery } from "./parameters.ts";
import type { Api } from "./pipeline.ts";

const fields = ["id", "action", "created_at", "created_by", "user", "changes"];

/** GET /<collection>/:id/audit: the trail of one record, newest first, for everyone with a role who may see the record. */
export function auditRoute(api: Api, type: Type): Route {
  const lines = api.engine.types.named("audit_line");
  return {
    method: "GET",
    path: `/${type.collection}/:id/audit`,
    scope: { type: type.scopeName, action: "Read" },
    async handle(call) {
      const id = idOf(call.params.id, type, api.domain);
      await requireRecord(call.engine, call.by, type, id, "read");
      if (![...call.by.roles].some((role) => role !== "key_contact")) throw new Forbidden();
      const clause: Clause = {
        key: "of a record",
        sql: (alias, next) => `${alias}.record_id = ${next()} AND ${alias}.audited = ${next()}`,
        values: [id, type.name],
      };
      // Where several accounts work on a record, each has a trail of its own.
      const here = oneOfAccounts("account_id", [call.by.account]);
      const query = listQuery(call.query, null);
      const page = await list(
        call.engine,
        call.by,
        lines,
        { ...query, fields: query.fields ?? fields },
        { clause: type.perAccount.length === 0 ? clause : allOf([clause, here]), rights: "of the parent" },
      );
      const hidden = hiddenFrom(type, call.by);
      const records = hidden.length === 0 ? page.records : page.records.map((json) => withoutChanges(json, hidden));
      return pageAnswer(call, { ...page, records }, query.perPage);
    },
  };
}

/** Fields whose values the caller may not see: the trail must not tell them either. */
const hiddenFrom = (type: Type, by: Caller): string[] =>
  Object.entries(type.fields).flatMap(([name, field]) =>
    field.confidential !== undefined && !field.confidential.roles.some((role) => by.roles.has(role)) ? [name] : [],
  );

function withoutChanges(json: string, hidden: readonly string[]): string {
  const line = JSON.parse(json) as { changes?: Record<string, unknown> };
  for (const name of hidden) delete line.changes?.[name];
  return JSON.stringify(line);
}
