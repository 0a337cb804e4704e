import type { ChildVerb } from "../../../../records/vocabulary/index.ts";
import { Forbidden, NotFound } from "../../../base/errors.ts";
import { mayCreate, rolesIn } from "../../../engine/access.ts";
import { create, type ParentContext } from "../../../engine/create.ts";
import { deleteAllRecords, deleteRecord } from "../../../engine/delete.ts";
import { findWithRevision, hasValue, requireChildAccess, requireRecord } from "../../../engine/find.ts";
import { link, linkByName, resolveLink, unlink } from "../../../engine/links.ts";
import { list, type RowScope } from "../../../engine/list.ts";
import { buildChildScope, buildLinkScope, buildListScope, buildPointerClause } from "../../../engine/nested-scope.ts";
import { allOf, type Clause } from "../../../engine/sql/clauses.ts";
import type { Type } from "../../../engine/types.ts";
import { update } from "../../../engine/update.ts";
import type { SaveResult } from "../../../engine/write/respond.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseFields, parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import {
  type ApiResponse,
  buildIgnoredFieldsHeader,
  buildRevisionHeader,
  type Call,
  noContent,
  okJson,
  type Route,
  respondWithRecord,
  respondWithSaved,
} from "../../http/route.ts";

// Routes below a record: links, owned children and read-only lists.

/** `buildScope`: the rows of the list, for the id of the parent; `sort`: the default order */
type NestedList = {
  buildScope(id: number, call: Call): RowScope | Promise<RowScope>;
  sort?: string | null | undefined;
};

/** A list below a record, with the views of the listed type as suffixes. */
function listRoutes(
  api: Api,
  type: Type,
  name: string,
  target: Type,
  { buildScope, sort = null }: NestedList,
): Route[] {
  const path = `/${type.collection}/:id/${name}`;
  const handle = (view: string | null) => async (call: Call) => {
    const id = parseRecordId(call.params.id, type, api.domain);
    await requireRecord(call.engine, call.caller, type, id, "read");
    const parsed = parseListQuery(call.query, view);
    const query = { ...parsed, sort: parsed.sort ?? sort };
    return respondWithPage(
      call,
      await list(call.engine, call.caller, target, query, await buildScope(id, call)),
      query.perPage,
    );
  };
  const scope = { type: type.scopeName, action: "Read" } as const;
  return [null, ...Object.keys(target.views)].map(
    (view): Route => ({ method: "GET", path: view === null ? path : `${path}/${view}`, scope, handle: handle(view) }),
  );
}

export function linkRoutes(api: Api, type: Type): Route[] {
  const scope = { type: type.scopeName, action: "Update" } as const;
  return Object.keys(type.links).flatMap((name): Route[] => {
    const ends = resolveLink(api.engine, type, name);
    const path = `/${type.collection}/:id/${name}`;
    const other = (call: Call) => parseRecordId(call.params.other, ends.target, api.domain);
    const own = (call: Call) => parseRecordId(call.params.id, type, api.domain);
    return [
      ...listRoutes(api, type, name, ends.target, {
        buildScope: (id, { caller }) => buildLinkScope(ends, id, caller),
      }),
      ...(type.links[name]?.createByName
        ? [
            {
              method: "POST" as const,
              path,
              scope,
              handle: async (call: Call) =>
                okJson(await linkByName(call.engine, call.caller, type, own(call), name, await call.body())),
            },
          ]
        : []),
      {
        method: "POST",
        path: `${path}/:other`,
        scope,
        async handle(call) {
          await link(call.engine, call.caller, type, own(call), name, other(call));
          return okJson("{}");
        },
      },
      {
        method: "DELETE",
        path: `${path}/:other`,
        scope,
        async handle(call) {
          await unlink(call.engine, call.caller, type, own(call), name, other(call));
          return noContent;
        },
      },
      {
        method: "DELETE",
        path,
        scope,
        async handle(call) {
          await unlink(call.engine, call.caller, type, own(call), name, null);
          return noContent;
        },
      },
    ];
  });
}

export function childRoutes(api: Api, type: Type): Route[] {
  return Object.entries(type.children).flatMap(
    ([name, { of, by = type.name, allows, addedBy, roles, sort }]): Route[] => {
      const child = api.engine.types.get(of);
      const path = `/${type.collection}/:id/${name}`;
      const scope = (action: "Read" | "Update") => ({ type: type.scopeName, action });
      const within = (id: number): RowScope => buildChildScope(api.engine, type, name, id);
      const parent = async (call: Call, operation: "read" | "update" | "link to") => {
        const id = parseRecordId(call.params.id, type, api.domain);
        const account =
          operation === "update"
            ? await requireChildAccess(call.engine, call.caller, type, id, name)
            : await requireRecord(call.engine, call.caller, type, id, operation);
        if (
          operation !== "read" &&
          roles !== undefined &&
          !roles.some((role) => rolesIn(call.caller, account).has(role))
        )
          throw new Forbidden();
        return { id, account };
      };
      const one = (call: Call) => parseRecordId(call.params.child, child, api.domain);
      const changes: Record<ChildVerb, Route[]> = {
        create: [
          {
            method: "POST",
            path,
            scope: scope("Update"),
            async handle(call) {
              const { id, account } = await parent(call, addedBy === "readers" ? "link to" : "update");
              return createUnderParent(call, child, { fixed: { [by]: id }, account });
            },
          },
        ],
        update: (["PATCH", "PUT"] as const).map((method) => ({
          method,
          path: `${path}/:child`,
          scope: scope("Update"),
          async handle(call) {
            const { id } = await parent(call, "update");
            return respondWithSaved(
              await update(call.engine, call.caller, child, one(call), await call.body(), within(id)),
            );
          },
        })),
        delete: [
          {
            method: "DELETE",
            path: `${path}/:child`,
            scope: scope("Update"),
            async handle(call) {
              const scope = within((await parent(call, "update")).id);
              await deleteRecord(call.engine, call.caller, child, one(call), { scope, revisions: call.revisions });
              return noContent;
            },
          },
        ],
        "delete all": [
          {
            method: "DELETE",
            path,
            scope: scope("Update"),
            async handle(call) {
              await deleteAllRecords(call.engine, call.caller, child, within((await parent(call, "update")).id));
              return noContent;
            },
          },
        ],
      };
      return [
        ...listRoutes(api, type, name, child, { buildScope: within, sort }),
        {
          method: "GET",
          path: `${path}/:child`,
          scope: scope("Read"),
          async handle(call) {
            const { id } = await parent(call, "read");
            const fields = parseFields(call.query);
            return respondWithRecord(
              await findWithRevision(call.engine, call.caller, child, one(call), fields, within(id)),
            );
          },
        },
        ...(allows ?? allChildVerbs).flatMap((verb) => changes[verb]),
      ];
    },
  );
}

const allChildVerbs: readonly ChildVerb[] = ["create", "update", "delete", "delete all"];

/** For types that have a collection of their own but are created below a parent, like the tasks of a workflow. */
export function createUnderParentRoutes(api: Api, type: Type): Route[] {
  return type.createdUnder.map(({ parent: name, path, field }): Route => {
    const parent = api.engine.types.get(name);
    return {
      method: "POST",
      path: `/${parent.collection}/:id/${path}`,
      scope: { type: type.scopeName, action: "Create" },
      async handle(call) {
        const id = parseRecordId(call.params.id, parent, api.domain);
        // People who may change the parent may create records below it, even without the role to create them.
        const operation = mayCreate(type, call.caller) ? "link to" : "update";
        const account = await requireRecord(call.engine, call.caller, parent, id, operation);
        return createUnderParent(call, type, { fixed: { [field]: id }, account });
      },
    };
  });
}

async function createUnderParent(call: Call, type: Type, parent: ParentContext): Promise<ApiResponse> {
  return respondWithCreated(call, type, await create(call.engine, call.caller, type, await call.body(), parent));
}

/** Only types with a collection of their own have a page in the user interface for the Location header. */
export function respondWithCreated(call: Call, type: Type, saved: SaveResult): ApiResponse<never> {
  const location = `${call.getAccountUrl(call.caller.account)}/${type.collection}/${saved.id}`;
  return {
    status: saved.existing ? 200 : type.routes.createStatus,
    json: type.routes.createResponse === "id" ? `{"id":${saved.id}}` : saved.json,
    headers: {
      ...buildIgnoredFieldsHeader(saved.ignored),
      ...buildRevisionHeader(saved.revision),
      ...(type.ownedBy.length === 0 ? { Location: location } : {}),
    },
  };
}

export function readOnlyListRoutes(api: Api, type: Type): Route[] {
  return Object.entries(type.lists).flatMap(([name, declared]) => {
    const target = api.engine.types.get(declared.of);
    const relations = "through" in declared && declared.through !== undefined ? [declared.through] : [];
    const { unless } = declared;
    const buildScope = async (id: number, call: Call): Promise<RowScope> => {
      if (unless !== undefined && (await hasValue(call.engine, call.caller, type, id, unless.field, unless.is)))
        throw new NotFound();
      return buildListScope(call.engine, call.caller, type, name, id);
    };
    const lists = listRoutes(api, type, name, target, { buildScope });
    return [...lists, ...relations.flatMap((relation) => joinedListRoutes(api, type, name, target, relation))];
  });
}

/** Hides the relation records between two types, like those between workflow templates and task templates. */
function joinedListRoutes(api: Api, type: Type, name: string, target: Type, relation: string): Route[] {
  const path = `/${type.collection}/:id/${name}`;
  const scope = { type: type.scopeName, action: "Update" } as const;
  const relationType = api.engine.types.get(relation);
  const owner = async (call: Call) => {
    const id = parseRecordId(call.params.id, type, api.domain);
    return { id, account: await requireRecord(call.engine, call.caller, type, id, "update") };
  };
  const removeWithin = (call: Call, clauses: Clause[]) =>
    deleteAllRecords(call.engine, call.caller, relationType, { clause: allOf(clauses), rights: "of the parent" });
  return [
    {
      method: "POST",
      path,
      scope,
      async handle(call) {
        const { id, account } = await owner(call);
        await create(call.engine, call.caller, relationType, await call.body(), {
          fixed: { [type.name]: id },
          account,
        });
        return okJson("{}");
      },
    },
    {
      method: "DELETE",
      path: `${path}/:other`,
      scope,
      async handle(call) {
        const ofOwner = buildPointerClause(`${type.name}_id`, (await owner(call)).id);
        const ofTarget = buildPointerClause(`${target.name}_id`, parseRecordId(call.params.other, target, api.domain));
        if ((await removeWithin(call, [ofOwner, ofTarget])) === 0) throw new NotFound();
        return noContent;
      },
    },
    {
      method: "DELETE",
      path,
      scope,
      async handle(call) {
        await removeWithin(call, [buildPointerClause(`${type.name}_id`, (await owner(call)).id)]);
        return noContent;
      },
    },
  ];
}
