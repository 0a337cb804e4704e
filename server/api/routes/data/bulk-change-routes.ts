import type { AnswerOf } from "../../../../records/answers/answer-of.ts";
import { bulkChangeOperations, type bulkPreview } from "../../../../records/answers/bulk-changes.ts";
import type { jobToken } from "../../../../records/answers/exchange.ts";
import {
  type BulkContext,
  listChangeableTypes,
  maxRecords,
} from "../../../actions/bulk-changes/bulk-change-context.ts";
import {
  type BulkOrder,
  cancelBulkChange,
  loadBulkChange,
  previewBulkChange,
  queueBulkChange,
  undoBulkChange,
} from "../../../actions/bulk-changes/queue-bulk-change.ts";
import { BadRequest, Forbidden, Invalid, type Problem } from "../../../base/errors.ts";
import { isStorable } from "../../../engine/kinds/kind.ts";
import { listIds } from "../../../engine/list.ts";
import type { Type } from "../../../engine/types.ts";
import { readInput } from "../../../engine/write/input.ts";
import { allows } from "../../../oauth/scopes/scopes.ts";
import { parseListQuery, parseQuery } from "../../http/parameters.ts";
import { type Api, identify, requireIdentity } from "../../http/pipeline.ts";
import { type ApiResponse, accepted, type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// Bulk changes. In addition to its own scope, a token needs the scope to update the records.

const members = ["collection", "ids", "query", "change", "link", "note", "dry_run"];
const maxLinks = 20;

export function bulkChangeRoutes(api: Api, bulk: BulkContext): Route[] {
  const scope = (action: "Create" | "Read" | "Update" | "Delete") => ({ type: "bulk-change", action });
  const load = ({ caller, params }: Call) => loadBulkChange(bulk, caller, params.token ?? "");
  return serve(bulkChangeOperations, {
    "POST /bulk_changes": { scope: scope("Create"), handle: (call) => handleCreate(api, bulk, call) },
    "GET /bulk_changes/:token": { scope: scope("Read"), handle: async (call) => ok(await load(call)) },
    "DELETE /bulk_changes/:token": {
      scope: scope("Delete"),
      async handle(call) {
        await cancelBulkChange(bulk, call.caller, call.params.token ?? "");
        return ok(await load(call));
      },
    },
    "POST /bulk_changes/:token/undo": {
      scope: scope("Create"),
      async handle(call) {
        await undoBulkChange(bulk, call.caller, call.params.token ?? "");
        return accepted(await load(call));
      },
    },
  });
}

async function handleCreate(
  api: Api,
  bulk: BulkContext,
  call: Call,
): Promise<ApiResponse<AnswerOf<typeof bulkPreview> | AnswerOf<typeof jobToken>>> {
  const body = (await call.body()).members;
  const problems: Problem[] = Object.keys(body)
    .filter((name) => !members.includes(name))
    .map((name) => [name, "is unknown"]);
  const type = listChangeableTypes(api.engine.types.all).find(({ collection }) => collection === body.collection);
  if (type === undefined) throw new Invalid([...problems, ["collection", "is not included in the list"]]);
  const identity = requireIdentity(await identify(api, call.request), false);
  if (!allows(identity?.scopes ?? [], type.scopeName, "Update", call.caller.account)) throw new Forbidden();
  const note = parseNote(type, body.note, problems);
  const links = parseLinks(type, body.link ?? {}, problems);
  const isEmpty = note === null && Object.keys(links).length === 0;
  const change = parseChange(call, type, body.change ?? {}, isEmpty, problems);
  const ids = await parseIds(call, type, body, problems);
  if (problems.length > 0) throw new Invalid(problems);
  const order: BulkOrder = { type, ids, change, links, note };
  if (body.dry_run === true || body.dry_run === "true") return ok(await previewBulkChange(bulk, call.caller, order));
  return accepted({ token: await queueBulkChange(bulk, call.caller, order) });
}

function parseNote(type: Type, given: unknown, problems: Problem[]): string | null {
  if (given === undefined || given === null || given === "") return null;
  if (typeof given !== "string" || given.length > 65_535 || !isStorable(given)) problems.push(["note", "is not valid"]);
  else if (type.members.get("note")?.field.transient) return given;
  else problems.push(["note", "is unknown"]);
  return null;
}

/** Links to add, by their name: ids, or names where records are linked by name. */
function parseLinks(type: Type, given: unknown, problems: Problem[]): BulkOrder["links"] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    problems.push(["link", "is not valid"]);
    return {};
  }
  const links: Record<string, readonly (number | string)[]> = {};
  for (const [name, others] of Object.entries(given)) {
    const link = Object.hasOwn(type.links, name) ? type.links[name] : undefined;
    const isOther = (other: unknown): boolean =>
      link?.createByName === true && typeof other === "string"
        ? other.trim() !== "" && other.length <= 128 && isStorable(other)
        : isId(other);
    if (link === undefined || !("table" in link)) problems.push([`link.${name}`, "is unknown"]);
    else if (!Array.isArray(others) || others.length === 0 || others.length > maxLinks || !others.every(isOther))
      problems.push([`link.${name}`, "is not valid"]);
    else links[name] = [...new Set(others as (number | string)[])];
  }
  return links;
}

const isId = (id: unknown): boolean => Number.isInteger(id) && (id as number) > 0 && (id as number) < 2 ** 31;

/** Values are checked per record; unknown field names are refused immediately. */
function parseChange(
  { caller }: Call,
  type: Type,
  given: unknown,
  /** whether there is nothing else to do */
  isNeeded: boolean,
  problems: Problem[],
): BulkOrder["change"] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    problems.push(["change", "is not valid"]);
    return {};
  }
  const change = given as Record<string, unknown>;
  if (Object.keys(change).length === 0 && isNeeded && problems.length === 0)
    problems.push(["change", "can't be blank"]);
  problems.push(...readInput(type, { members: change, strict: true }, caller, "update").problems);
  return change;
}

async function parseIds(
  call: Call,
  type: Type,
  { ids, query }: Readonly<Record<string, unknown>>,
  problems: Problem[],
): Promise<number[]> {
  const refuse = (field: string, text: string): number[] => {
    problems.push([field, text]);
    return [];
  };
  const tooMany = `is for at most ${maxRecords} records`;
  if ((ids === undefined || ids === null) === (query === undefined || query === null))
    return refuse("ids", "or a query is needed, not both");
  if (query !== undefined && query !== null) {
    if (typeof query !== "string") return refuse("query", "is not valid");
    try {
      const parsed = parseListQuery(parseQuery(query.replace(/^\?/, "")), null);
      const found = await listIds(call.engine, call.caller, type, parsed, maxRecords + 1);
      if (found.length === 0) return refuse("query", "matches no records");
      return found.length > maxRecords ? refuse("query", tooMany) : found;
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      return refuse("query", error.message);
    }
  }
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every(isId)) return refuse("ids", "is not valid");
  const unique = [...new Set(ids as number[])];
  return unique.length > maxRecords ? refuse("ids", tooMany) : unique;
}
