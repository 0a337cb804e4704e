import { NotFound } from "../base/errors.ts";
import type { Clause } from "../engine/clauses.ts";
import { conditionClause } from "../engine/conditions.ts";
import { create } from "../engine/create.ts";
import { find, requireRecord } from "../engine/find.ts";
import { endsOf, link, linkedTo, unlink } from "../engine/links.ts";
import { list, type Scope } from "../engine/list.ts";
import { remove } from "../engine/remove.ts";
import type { Type } from "../engine/types.ts";
import { update } from "../engine/update.ts";
import { statement } from "../storage/database.ts";
import { quoted } from "../storage/schema/model.ts";
import { type Call, ignoredHeader, noContent, ok, type Route } from "./call.ts";
import { idOf } from "./identifiers.ts";
import { pageAnswer } from "./paging.ts";
import { fieldsOf, listQuery } from "./parameters.ts";
import type { Api } from "./pipeline.ts";

// What hangs below a record: links, owned children and read-only lists.

const points = (column: string, id: number): Clause => ({
  key: `${column} here`,
  sql: (alias, next) => `${alias}.${quoted(column)} = ${next()}`,
  values: [id],
});

/** A list below a record, with the views of the listed type as suffixes. */
function listRoutes(
  api: Api,
  type: Type,
  name: string,
  target: Type,
  scopeOf: (id: number, call: Call) => Scope,
): Route[] {
  const path = `/${type.collection}/:id/${name}`;
  const handle = (view: string | null) => async (call: Call) => {
    const id = idOf(call.params.id, type, api.domain);
    await requireRecord(call.engine, call.by, type, id, "read");
    const query = listQuery(call.query, view);
    return pageAnswer(call, await list(call.engine, call.by, target, query, scopeOf(id, call)), query.perPage);
  };
  const scope = { type: type.scopeName, action: "Read" } as const;
  return [null, ...Object.keys(target.views)].map(
    (view): Route => ({ method: "GET", path: view === null ? path : `${path}/${view}`, scope, handle: handle(view) }),
  );
}

export function linkRoutes(api: Api, type: Type): Route[] {
  const scope = { type: type.scopeName, action: "Update" } as const;
  return Object.keys(type.links).flatMap((name): Route[] => {
    const ends = endsOf(api.engine, type, name);
    const path = `/${type.collection}/:id/${name}`;
    const other = (call: Call) => idOf(call.params.other, ends.target, api.domain);
    const own = (call: Call) => idOf(call.params.id, type, api.domain);
    return [
      ...listRoutes(api, type, name, ends.target, (id) => ({ clause: linkedTo(ends, id), rights: "own" })),
      {
        method: "POST",
        path: `${path}/:other`,
        scope,
        async handle(call) {
          await link(call.engine, call.by, type, own(call), name, other(call));
          return ok("{}");
        },
      },
      {
        method: "DELETE",
        path: `${path}/:other`,
        scope,
        async handle(call) {
          await unlink(call.engine, call.by, type, own(call), name, other(call));
          return noContent;
        },
      },
      {
        method: "DELETE",
        path,
        scope,
        async handle(call) {
          await unlink(call.engine, call.by, type, own(call), name, null);
          return noContent;
        },
      },
    ];
  });
}

export function childRoutes(api: Api, type: Type): Route[] {
  return Object.entries(type.children).flatMap(([name, { of }]): Route[] => {
    const child = api.engine.types.named(of);
    const path = `/${type.collection}/:id/${name}`;
    const scope = (action: "Read" | "Update") => ({ type: type.scopeName, action });
    const within = (id: number): Scope => ({
      clause: points(child.columns.get(type.name) ?? `${type.name}_id`, id),
      rights: "of the parent",
    });
    const parent = async (call: Call, operation: "read" | "update") => {
      const id = idOf(call.params.id, type, api.domain);
      return { id, account: await requireRecord(call.engine, call.by, type, id, operation) };
    };
    const one = (call: Call) => idOf(call.params.child, child, api.domain);
    return [
      ...listRoutes(api, type, name, child, within),
      {
        method: "GET",
        path: `${path}/:child`,
        scope: scope("Read"),
        handle: async (call) =>
          ok(
            await find(
              call.engine,
              call.by,
              child,
              one(call),
              fieldsOf(call.query),
              within((await parent(call, "read")).id),
            ),
          ),
      },
      {
        method: "POST",
        path,
        scope: scope("Update"),
        async handle(call) {
          const { id, account } = await parent(call, "update");
          const saved = await create(call.engine, call.by, child, await call.body(), {
            fixed: { [type.name]: id },
            account,
          });
          return { status: 201, json: saved.json, headers: ignoredHeader(saved.ignored) };
        },
      },
      ...(["PATCH", "PUT"] as const).map(
        (method): Route => ({
          method,
          path: `${path}/:child`,
          scope: scope("Update"),
          async handle(call) {
            const saved = await update(
              call.engine,
              call.by,
              child,
              one(call),
              await call.body(),
              within((await parent(call, "update")).id),
            );
            return { status: 200, json: saved.json, headers: ignoredHeader(saved.ignored) };
          },
        }),
      ),
      {
        method: "DELETE",
        path: `${path}/:child`,
        scope: scope("Update"),
        async handle(call) {
          await remove(call.engine, call.by, child, one(call), within((await parent(call, "update")).id));
          return noContent;
        },
      },
      {
        method: "DELETE",
        path,
        scope: scope("Update"),
        async handle(call) {
          const { id } = await parent(call, "update");
          const rows = await call.engine.database.read(
            statement(`SELECT id FROM ${child.table} WHERE ${type.name}_id = $1`),
            [id],
          );
          for (const row of rows)
            await remove(call.engine, call.by, child, Number(row[0]), within(id)).catch((error) => {
              if (!(error instanceof NotFound)) throw error; // somebody else was quicker
            });
          return noContent;
        },
      },
    ];
  });
}

export function readOnlyListRoutes(api: Api, type: Type): Route[] {
  return Object.entries(type.lists).flatMap(([name, declared]) => {
    const target = api.engine.types.named(declared.of);
    return listRoutes(api, type, name, target, (id, call) => ({
      clause:
        "by" in declared
          ? points(target.columns.get(declared.by) ?? `${declared.by}_id`, id)
          : conditionClause(target, declared.where, call.by, call.engine.rules, id),
      rights: "own",
    }));
  });
}
