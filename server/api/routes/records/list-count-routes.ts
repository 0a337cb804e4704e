import { listCountOperations, maxCountedLists } from "../../../../records/answers/search.ts";
import { BadRequest, Forbidden, NotFound } from "../../../base/errors.ts";
import { hasValue, requireRecord } from "../../../engine/find.ts";
import { resolveLink } from "../../../engine/links.ts";
import { list } from "../../../engine/list.ts";
import { buildChildScope, buildLinkScope, buildListScope } from "../../../engine/nested-scope.ts";
import type { Type } from "../../../engine/types.ts";
import { allows } from "../../../oauth/scopes/scopes.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getParameter } from "../../http/parameters.ts";
import { type Api, identify, requireIdentity } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

const nothing = { sort: null, page: null, after: null, before: null, views: [], filters: [] };

/** GET /list_counts: how long the lists below a record are, in one call for all tabs of a page. */
export function listCountRoutes(api: Api): Route[] {
  return serve(listCountOperations, {
    "GET /list_counts": {
      scope: null,
      async handle(call) {
        const type = parseType(api, call);
        const identity = requireIdentity(await identify(api, call.request), false);
        if (!allows(identity?.scopes ?? [], type.scopeName, "Read", call.caller.account)) throw new Forbidden();
        const names = parseNames(call, type);
        const id = parseRecordId(getParameter(call.query, "id"), type, api.domain);
        await requireRecord(call.engine, call.caller, type, id, "read");
        const counts = await Promise.all(names.map((name) => countList(call, type, name, id)));
        const known = names.flatMap((name, at) => (counts[at] === null ? [] : [[name, counts[at]]]));
        return ok(Object.fromEntries(known));
      },
    },
  });
}

function parseType({ engine }: Api, { query }: Call): Type {
  const name = getParameter(query, "type") ?? "";
  if (!engine.types.has(name)) throw new BadRequest("Invalid value for parameter 'type'");
  return engine.types.get(name);
}

function parseNames({ query }: Call, { links, children, lists }: Type): string[] {
  const names = [...new Set((getParameter(query, "lists") ?? "").split(",").map((name) => name.trim()))];
  const isKnown = (name: string) => [links, children, lists].some((declared) => Object.hasOwn(declared, name));
  if (names.length > maxCountedLists || !names.every(isKnown))
    throw new BadRequest("Invalid value for parameter 'lists'");
  return names;
}

/** null: the caller may not read it, or this record has no such list */
async function countList({ engine, caller }: Call, type: Type, name: string, id: number): Promise<number | null> {
  const { links, children, lists } = type;
  const target = engine.types.get(children[name]?.of ?? links[name]?.to ?? lists[name]?.of ?? "");
  const unless = lists[name]?.unless;
  if (unless !== undefined && (await hasValue(engine, caller, type, id, unless.field, unless.is))) return null;
  const scope =
    name in children
      ? buildChildScope(engine, type, name, id)
      : name in links
        ? buildLinkScope(resolveLink(engine, type, name), id, caller)
        : buildListScope(engine, caller, type, name, id);
  try {
    return (await list(engine, caller, target, { ...nothing, perPage: 1, fields: ["id"] }, scope)).total;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return null;
    throw error;
  }
}
