import { permission, permissionOperations } from "../../../../records/answers/permissions.ts";
import { enumerations } from "../../../../records/enumerations/index.ts";
import {
  addRoles,
  listPeopleWithRoles,
  listPermissions,
  loadPermissions,
  type PermissionContext,
  type PermissionTarget,
  removeAllRoles,
  removeRoles,
  replaceRoles,
  requireAdministeredPermissions,
  requireVisiblePermissions,
} from "../../../actions/permissions.ts";
import { Invalid } from "../../../base/errors.ts";
import { buildPageInMemory } from "../../../engine/page-in-memory.ts";
import { parseRoles } from "../../../rules/people/person.ts";
import { buildSelection, respondWithEntries } from "../../http/entry-fields.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseFields, parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// AZ14

const allRoles: readonly string[] = enumerations["permission.role"];

export function permissionRoutes(api: Api): Route[] {
  const read = { type: "person", action: "Read" } as const;
  const write = { type: "person", action: "Update" } as const;

  const buildContext = async (call: Call): Promise<PermissionContext> => ({
    engine: call.engine,
    by: call.caller,
    accounts: await api.identities.getAccounts(),
  });
  const parsePerson = (call: Call): number =>
    parseRecordId(call.params.id, call.engine.types.get("person"), api.domain);
  const parseTarget = (call: Call): PermissionTarget => ({
    person: parsePerson(call),
    account: call.params.account ?? "",
  });
  // Whether the caller may change these permissions is decided before the body is read.
  const changeWith = (change: typeof addRoles | typeof replaceRoles) => ({
    scope: write,
    async handle(call: Call) {
      const [target, context] = [parseTarget(call), await buildContext(call)];
      await requireAdministeredPermissions(context, target);
      return ok(await change(context, target, await readRoles(call)));
    },
  });

  return [
    {
      method: "GET",
      path: "/people/all_with_roles",
      scope: read,
      async handle(call) {
        const query = parseListQuery(call.query, null);
        const filters = query.filters.filter(({ name }) => name !== "roles");
        const page = await listPeopleWithRoles(
          call.engine,
          call.caller,
          { ...query, filters },
          parseRolesParameter(call),
        );
        return respondWithPage(call, page, query.perPage);
      },
    },
    ...serve(permissionOperations, {
      "GET /people/:id/permissions": {
        scope: read,
        async handle(call) {
          const query = parseListQuery(call.query, null);
          const permissions = await listPermissions(await buildContext(call), parsePerson(call));
          const entries = permissions.map((each) => ({ key: each.account.id, json: JSON.stringify(each) }));
          return respondWithEntries(call, query, buildPageInMemory(entries, query, call.caller), permission);
        },
      },
      "GET /people/:id/permissions/:account": {
        scope: read,
        async handle(call) {
          const [target, context] = [parseTarget(call), await buildContext(call)];
          await requireVisiblePermissions(context, target);
          const select = buildSelection(permission, parseFields(call.query));
          return okJson(JSON.stringify(select(await loadPermissions(context, target))));
        },
      },
      "POST /people/:id/permissions/:account": changeWith(addRoles),
      "PATCH /people/:id/permissions/:account": changeWith(replaceRoles),
      "PUT /people/:id/permissions/:account": changeWith(replaceRoles),
      "DELETE /people/:id/permissions/:account": {
        scope: write,
        async handle(call) {
          const [target, context] = [parseTarget(call), await buildContext(call)];
          await requireAdministeredPermissions(context, target);
          await removeRoles(context, target, await readRoles(call));
          return noContent;
        },
      },
      "DELETE /people/:id/permissions": {
        scope: write,
        async handle(call) {
          const person = parsePerson(call);
          await removeAllRoles(await buildContext(call), person);
          return noContent;
        },
      },
    }),
  ];
}

const parseRolesParameter = (call: Call): string[] =>
  call.query.filter(({ name }) => name === "roles").flatMap(({ value }) => parseRoles(value));

/** The roles of the query or of the body; none when neither names any. */
async function readRoles(call: Call): Promise<string[]> {
  const fromQuery = parseRolesParameter(call);
  if (fromQuery.length > 0) return fromQuery;
  const { roles } = (await call.body()).members;
  // A blank name is refused: reading it as "none" would make a DELETE remove all roles.
  const names =
    roles === undefined
      ? []
      : [roles]
          .flat()
          .flatMap((role) => String(role).split(","))
          .map((role) => role.trim());
  if (names.some((role) => !allRoles.includes(role))) throw new Invalid([["roles", "is not included in the list"]]);
  return [...new Set(names)];
}
