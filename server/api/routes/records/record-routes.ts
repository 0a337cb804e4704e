import { BadRequest, Forbidden } from "../../../base/errors.ts";
import { hasAnyGrant, mayCreate } from "../../../engine/access.ts";
import { changeArchiveState } from "../../../engine/archive-and-trash.ts";
import { create } from "../../../engine/create.ts";
import { deleteRecord } from "../../../engine/delete.ts";
import { dryRunCreate } from "../../../engine/dry-run.ts";
import { findWithRevision, requireRecord } from "../../../engine/find.ts";
import { list } from "../../../engine/list.ts";
import type { Type } from "../../../engine/types.ts";
import { update } from "../../../engine/update.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseFields, parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import {
  type ApiResponse,
  buildIgnoredFieldsHeader,
  type Call,
  noContent,
  type Route,
  respondWithRecord,
  respondWithSaved,
} from "../../http/route.ts";
import { auditRoute } from "./audit-routes.ts";
import {
  childRoutes,
  createUnderParentRoutes,
  linkRoutes,
  readOnlyListRoutes,
  respondWithCreated,
} from "./nested-routes.ts";
import { summaryRoutes } from "./summary-routes.ts";

/** All routes of all record types. */
export function recordRoutes(api: Api): Route[] {
  const routes: Route[] = [];
  for (const type of api.engine.types.all) {
    const isOwned = type.ownedBy.length > 0;
    if (type.routes.singleton || type.routes.onlyThroughLinks || (isOwned && !type.routes.hasOwnCollection)) continue;
    const collection = `/${type.collection}`;
    const one = `${collection}/:id`;
    const scope = (action: "Read" | "Create" | "Update" | "Delete") => ({ type: type.scopeName, action });
    routes.push({
      method: "GET",
      path: collection,
      scope: scope("Read"),
      handle: (call) => handleList(call, type, null),
    });
    for (const view of Object.keys(type.views))
      routes.push({
        method: "GET",
        path: `${collection}/${view}`,
        scope: scope("Read"),
        handle: (call) => handleList(call, type, view),
      });
    routes.push(...summaryRoutes(type));
    routes.push({ method: "GET", path: one, scope: scope("Read"), handle: (call) => handleRead(api, call, type) });
    if (isOwned) routes.push(...childRoutes(api, type), ...readOnlyListRoutes(api, type));
    if (type.storage.journal) routes.push(...readOnlyListRoutes(api, type));
    if (type.storage.journal || isOwned) continue;
    routes.push({
      method: "POST",
      path: collection,
      scope: scope("Create"),
      handle: (call) => handleCreate(call, type),
    });
    for (const method of ["PATCH", "PUT"] as const)
      routes.push({ method, path: one, scope: scope("Update"), handle: (call) => handleUpdate(api, call, type) });
    if (type.deletion.deletable !== false)
      routes.push({
        method: "DELETE",
        path: one,
        scope: scope("Delete"),
        handle: async (call) => {
          const id = parseRecordId(call.params.id, type, api.domain);
          await deleteRecord(call.engine, call.caller, type, id, { revisions: call.revisions });
          return noContent;
        },
      });
    if (type.deletion.archivable !== null && type.deletion.archivable.with === undefined)
      for (const action of ["archive", "trash", "restore"] as const)
        routes.push({
          method: "POST",
          path: `${one}/${action}`,
          scope: scope("Update"),
          handle: async (call) =>
            respondWithRecord(
              await changeArchiveState(
                call.engine,
                call.caller,
                type,
                parseRecordId(call.params.id, type, api.domain),
                action,
              ),
            ),
        });
    routes.push(
      auditRoute(api, type),
      ...createUnderParentRoutes(api, type),
      ...linkRoutes(api, type),
      ...childRoutes(api, type),
      ...readOnlyListRoutes(api, type),
    );
  }
  return routes;
}

async function handleList(call: Call, type: Type, view: string | null): Promise<ApiResponse> {
  if (!hasAnyGrant(type, "read", call.caller)) throw new Forbidden();
  const query = parseListQuery(call.query, view);
  return respondWithPage(call, await list(call.engine, call.caller, type, query), query.perPage);
}

async function handleRead(api: Api, call: Call, type: Type): Promise<ApiResponse> {
  return respondWithRecord(
    await findWithRevision(
      call.engine,
      call.caller,
      type,
      parseRecordId(call.params.id, type, api.domain),
      parseFields(call.query),
    ),
  );
}

export async function handleCreate(call: Call, type: Type): Promise<ApiResponse> {
  if (!mayCreate(type, call.caller)) throw new Forbidden();
  const body = await call.body();
  if (type.routes.dryRun !== null && "dry_run" in body.members) {
    const { dry_run, ...members } = body.members;
    if (parseDryRun(dry_run)) {
      const { json, ignored } = await dryRunCreate(call.engine, call.caller, type, { ...body, members });
      return { status: 200, json, headers: buildIgnoredFieldsHeader(ignored) };
    }
    return respondWithCreated(call, type, await create(call.engine, call.caller, type, { ...body, members }));
  }
  return respondWithCreated(call, type, await create(call.engine, call.caller, type, body));
}

function parseDryRun(given: unknown): boolean {
  if (given === "true" || given === true) return true;
  if (given === "false" || given === false) return false;
  throw new BadRequest("Parameter 'dry_run' must be true or false");
}

async function handleUpdate(api: Api, call: Call, type: Type): Promise<ApiResponse> {
  const id = parseRecordId(call.params.id, type, api.domain);
  const body = await call.body().catch(async (error) => {
    // 404 and 403 come before what is wrong with the body.
    await requireRecord(call.engine, call.caller, type, id, "update");
    throw error;
  });
  return respondWithSaved(await update(call.engine, call.caller, type, id, body));
}
