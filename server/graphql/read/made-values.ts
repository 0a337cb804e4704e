import type { GraphQLResolveInfo } from "graphql";
import { listPermissions } from "../../actions/permissions.ts";
import { readRows } from "../../engine/list.ts";
import { buildSharedRows, pickRows } from "../../engine/overlays.ts";
import { value } from "../../engine/sql/query.ts";
import type { Type } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import type { CallContext } from "../call-context.ts";
import { contactMembers, type MadeField, type MadeKind } from "../model/made-fields.ts";
import { toMemberName } from "../model/names.ts";
import type { PageArguments } from "./pages.ts";
import type { RecordSource } from "./record-source.ts";

// Values that the graph shows in another form than REST (model/made-fields.ts).

type Members = Readonly<Record<string, unknown>>;
export type ResolveReference = (
  context: CallContext,
  info: GraphQLResolveInfo,
  name: string,
  json: unknown,
) => RecordSource | Promise<RecordSource> | null;

const toCamelCase = (members: Members): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [toMemberName(name), each]));

const parseNumbers = (list: unknown): number[] | null =>
  typeof list === "string" && list !== "" ? list.split(",").map(Number) : null;

function makeRecurrence(recurrence: Members): Record<string, unknown> {
  const made = toCamelCase(recurrence);
  const dayOfWeekDay = String(made.dayOfWeekDay ?? "").split(",")[0];
  return {
    ...made,
    day: parseNumbers(made.day),
    dayOfMonth: parseNumbers(made.dayOfMonth),
    monthOfYear: parseNumbers(made.monthOfYear),
    dayOfWeekDay: dayOfWeekDay === "" ? null : dayOfWeekDay,
  };
}

function makeFeedback(feedback: Members): Record<string, unknown> {
  const people = Object.entries(feedback).map(([person, urls]) => [person, toCamelCase((urls ?? {}) as Members)]);
  return toCamelCase(Object.fromEntries(people));
}

function parseText(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : (text ?? null);
  } catch {
    return text;
  }
}

const usedProtocol = (data: Members): string | null => contactMembers.find((name) => data[name] != null) ?? null;

const makers: Record<Exclude<MadeKind, "code" | "note" | "permissions">, (given: unknown, data: Members) => unknown> = {
  "activity ids": (_given, data) =>
    Object.fromEntries(
      Object.entries(data)
        .filter(([name]) => name.startsWith("activityID_"))
        .map(([name, each]) => [name.replace("activityID_", ""), each]),
    ),
  decimal: (given) => given,
  feedback: (given) => makeFeedback(given as Members),
  json: parseText,
  languages: (given) =>
    String(given)
      .split(/[\s,]+/)
      .filter((each) => each !== ""),
  protocol: (_given, data) => usedProtocol(data),
  recurrence: (given) => makeRecurrence(given as Members),
  "recurrence template": (given) => makeRecurrence(given as Members),
  text: (given) => String(given),
  uri: (_given, data) => data[usedProtocol(data) ?? ""] ?? null,
  visibility: (_given, data) => (data.internal === true ? "specialist" : "end_user"),
};

/** The value of a made field. */
export function makeValue(
  { make, members, target }: MadeField,
  source: RecordSource,
  given: PageArguments,
  context: CallContext,
  info: GraphQLResolveInfo,
  resolveReference: ResolveReference,
): unknown {
  const { data } = source;
  if (make === "permissions") return loadPermissionPage(context, source, given);
  const first = data[members[0] as string] ?? null;
  if (make === "note") return first === null ? null : resolveReference(context, info, "note", { id: first });
  if (make === "code")
    return first === null
      ? null
      : resolveCode(context, info, source, members[0] as string, target as string, resolveReference);
  return first === null && members.length === 1 && make !== "visibility" ? null : makers[make](first, data);
}

/** The record whose reference REST shows. */
async function resolveCode(
  context: CallContext,
  info: GraphQLResolveInfo,
  { type, id, data, isReadable }: RecordSource,
  member: string,
  target: string,
  resolveReference: ResolveReference,
): Promise<RecordSource | null> {
  if (!isReadable) return null;
  const found = await context.batches.load(`code ${type.name}.${member}`, id as number, (ids) =>
    loadCodeIds(context, type, member, ids),
  );
  return found === undefined ? null : resolveReference(context, info, target, { id: found, reference: data[member] });
}

/** The ids behind the references that records show, which the caller has read already. */
async function loadCodeIds(
  { engine, by }: CallContext,
  type: Type,
  member: string,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const parts = { ids: value(ids), rows: pickRows(type, buildSharedRows(type, by)) };
  const column = quoteIdentifier(type.columns.get(member) as string);
  const query = engine.statements.prepare(
    `${type.name}#code ${member}`,
    parts,
    (sql) =>
      `SELECT a.id, a.${column} FROM ${sql.rows} WHERE a.id = ANY (${sql.ids}::integer[]) AND a.${column} IS NOT NULL`,
  );
  const rows = await readRows(engine, type, query, by);
  return new Map(rows.map((row) => [Number(row[0]), Number(row[1])]));
}

/** A person has roles in few accounts: all are read, and the page is cut out of them. */
async function loadPermissionPage(
  { engine, by, loadAccounts }: CallContext,
  { id, isReadable }: RecordSource,
  { first, last, after, before }: PageArguments,
): Promise<unknown> {
  const all = isReadable ? await listPermissions({ engine, by, accounts: await loadAccounts() }, id as number) : [];
  const from = after == null ? 0 : all.findIndex(({ account }) => account.id === after) + 1;
  const end = before == null ? -1 : all.findIndex(({ account }) => account.id === before);
  const between = all.slice(from, end === -1 ? all.length : end);
  const nodes = last == null ? between.slice(0, first ?? 0) : between.slice(-last);
  const start = nodes.length === 0 ? from : all.indexOf(nodes[0] as (typeof all)[number]);
  return {
    nodes,
    edges: nodes.map((node) => ({ cursor: node.account.id, node })),
    pageInfo: {
      hasNextPage: start + nodes.length < all.length,
      hasPreviousPage: start > 0,
      startCursor: nodes[0]?.account.id ?? null,
      endCursor: nodes.at(-1)?.account.id ?? null,
    },
    totalCount: all.length,
  };
}
