import type { GraphQLFieldResolver, GraphQLResolveInfo } from "graphql";
import { NotFound } from "../../base/errors.ts";
import { listReachableAccounts } from "../../engine/caller.ts";
import {
  type ConnectionQuery,
  eachParent,
  emptyPage,
  loadByIds,
  loadConnection,
  loadConnectionsBelow,
  loadFilesOf,
} from "../../engine/graphql-connection.ts";
import { resolveLink } from "../../engine/links.ts";
import type { RowScope } from "../../engine/list.ts";
import { buildChildScope, buildLinkScope, buildListScope, buildPointerClause } from "../../engine/nested-scope.ts";
import { buildNodeId } from "../../engine/read/node-id.ts";
import { parseSort } from "../../engine/read/sort.ts";
import { allOf, type Clause, oneOfAccounts } from "../../engine/sql/clauses.ts";
import { conditionClause } from "../../engine/sql/conditions.ts";
import type { Type } from "../../engine/types.ts";
import { allows } from "../../oauth/scopes/scopes.ts";
import { buildLiteralList, quoteIdentifier } from "../../schema/tables/model.ts";
import type { CallContext, Selection } from "../call-context.ts";
import { type Below, type GraphField, getPointedList, listReferenceMembers } from "../model/graph-fields.ts";
import { type ListView, pickSortable, pickViews } from "../model/list-arguments.ts";
import { pickTypeName } from "../model/names.ts";
import { buildFilterClauses } from "./filters.ts";
import { makeValue } from "./made-values.ts";
import { buildPageSource, type PageArguments, type PageSource, type Place, readPageArguments } from "./pages.ts";
import { getNodeId, parseNodeId, parseRecord, type RecordSource } from "./record-source.ts";
import { getPlace, pickFields, selectPage, selectRecord } from "./selection.ts";

// How the fields of records are read. A list below the records of a level, and what a document wants of the records that a
// level refers to, are one statement each.

type Resolver<S = RecordSource> = GraphQLFieldResolver<S, CallContext>;

/** The resolver of a field of the type. */
export function buildResolver(type: Type, field: GraphField): Resolver {
  switch (field.is) {
    case "id":
      return (source, _given, { domain }) => getNodeId(source, domain);
    case "number":
      return ({ id }) => String(id);
    case "life cycle":
      return ({ data }) => (data.archived === true ? "archived" : data.trashed === true ? "trashed" : "active");
    case "account":
      return (source, _given, context, info) => {
        const { id, name } = context.by.accountRecord;
        return resolveReferenceTo(context, info, "account", source.data.account ?? { id, name });
      };
    case "value": {
      const { member } = field;
      // References say that a record is disabled only when it is.
      if (member === "disabled") return ({ data }) => data[member] ?? false;
      if (field.form.is === "value" && field.form.scalar === "Float") return ({ data }) => unwrapNumber(data[member]);
      return ({ data }) => data[member] ?? null;
    }
    case "reference":
      return ({ data }, _given, context, info) => {
        const json = data[field.member];
        if (json === null || json === undefined) return null;
        return resolveReferenceTo(context, info, pickTarget(context, field.targets, json), json);
      };
    case "owner":
      return ({ data }, _given, context, info) => {
        const member = field.members.find((name) => data[name] !== null && data[name] !== undefined);
        return member === undefined ? null : resolveReferenceTo(context, info, member, data[member]);
      };
    case "subject":
      return ({ data }, _given, context, info) => {
        const name = data[field.member] as string;
        if (!context.engine.types.has(name)) return null;
        return resolveReferenceTo(context, info, name, data[name], true);
      };
    case "connection":
      return (source, given, context, info) => resolveBelow(context, info, source, field, given as PageArguments);
    case "made":
      return (source, given, context, info) =>
        makeValue(field.made, source, given as PageArguments, context, info, resolveReferenceTo);
    case "files":
      return (source, given, context) => resolveFiles(context, source, type, field.field, given as PageArguments);
  }
}

/** A float is a float: only decimals keep their digits. */
const unwrapNumber = (value: unknown): number | null =>
  typeof value === "object" && value !== null
    ? Number((value as { rawJSON: string }).rawJSON)
    : ((value as number | undefined) ?? null);

/** One of several types shares its ids with the other; the nodeID identifies the type. */
function pickTarget({ domain, engine }: CallContext, targets: readonly string[], json: unknown): string {
  if (targets.length === 1) return targets[0] as string;
  const named = parseNodeId(String((json as { nodeID?: unknown }).nodeID), domain, engine.types);
  return named?.type.name ?? (targets[0] as string);
}

const noMembers: ReadonlySet<string> = new Set();
const needsMore = ({ needsRecord, members }: Selection, shown: ReadonlySet<string>): boolean =>
  needsRecord || [...members].some((member) => !shown.has(member));

/** A record that another one refers to: what the reference shows, or all that is selected of it. */
export function resolveReferenceTo(
  context: CallContext,
  info: GraphQLResolveInfo,
  name: string,
  json: unknown,
  /** journals name records by a text, so everything that is selected is loaded */
  showsNothing = false,
): RecordSource | Promise<RecordSource> | null {
  if (typeof json !== "object" || json === null) return null;
  const type = context.engine.types.get(name);
  const data = json as Record<string, unknown>;
  const source: RecordSource = { type, id: data.id as number, data, isReadable: true };
  const selection = selectRecord(info, pickTypeName(name));
  selection.needsMore ??= needsMore(selection, listReferenceMembers(type));
  if (!selection.needsMore && !(showsNothing && needsMore(selection, noMembers))) return source;
  // Of other accounts than that of the call, REST shows the id and the name.
  if (type.routes.singleton && source.id !== context.by.account) return { ...source, isReadable: false };
  const fields = pickFields(type, selection);
  // Aliases of one reference are loaded once.
  const batch = `reference ${name} ${fields.join(",")}`;
  return context.batches
    .load(batch, source.id, (ids) => loadSources(context, type, ids, fields))
    .then((record) =>
      record === undefined ? { ...source, isReadable: false } : { ...record, data: { ...data, ...record.data } },
    );
}

/** The rows of a list below a record, for all records of a level in one statement. */
function buildScopeBelow({ engine, by }: CallContext, type: Type, { by: way, name }: Below): RowScope {
  if (way === "link") return buildLinkScope(resolveLink(engine, type, name), eachParent, by);
  if (way === "child") return buildChildScope(engine, type, name, eachParent);
  if (way === "pointer") {
    const { of, by: member } = getPointedList(type, name);
    return {
      clause: buildPointerClause(engine.types.get(of).columns.get(member) as string, eachParent),
      rights: "own",
    };
  }
  if (way === "references") {
    const list = type.referenceLists.find((each) => each.name === name);
    if (list === undefined) throw new Error(`${type.name}.${name} is no list of references`);
    const { table, ownColumn, otherColumn } = list;
    const clause: Clause = {
      key: `listed ${table}`,
      sql(alias, next) {
        const isHere = `${ownColumn} = ${next()}`;
        const ofAccounts = type.placement === "account" ? ` AND account_id = ANY(${next()}::text[])` : "";
        return `${alias}.id IN (SELECT ${otherColumn} FROM ${table} WHERE ${isHere}${ofAccounts})`;
      },
      values: type.placement === "account" ? [eachParent, listReachableAccounts(by)] : [eachParent],
    };
    return { clause, rights: "own" };
  }
  const scope = buildListScope(engine, by, type, name, eachParent);
  const unless = type.lists[name]?.unless;
  if (unless === undefined) return scope;
  // With such a value the record has no such list.
  const exists: Clause = {
    key: `unless ${unless.field}`,
    sql: (_alias, next) =>
      `NOT EXISTS (SELECT 1 FROM ${type.table} u WHERE u.id = ${next()} AND u.account_id = ANY(${next()}::text[]) AND u.${quoteIdentifier(unless.field)} IN ${buildLiteralList(unless.is)})`,
    values: [eachParent, listReachableAccounts(by)],
  };
  return { ...scope, clause: allOf([scope.clause, exists]) };
}

type BelowPage = { query: ConnectionQuery; place: Place; batch: string };

/** The context shared by all records of a level; their resolvers get the same arguments. */
const belowPages = new WeakMap<PageArguments, Map<GraphQLResolveInfo["fieldNodes"], BelowPage>>();

function prepareBelow(
  { engine }: CallContext,
  info: GraphQLResolveInfo,
  type: Type,
  { target: name, below }: Extract<GraphField, { is: "connection" }>,
  given: PageArguments,
): BelowPage {
  const pages = belowPages.get(given) ?? new Map<GraphQLResolveInfo["fieldNodes"], BelowPage>();
  belowPages.set(given, pages);
  const known = pages.get(info.fieldNodes);
  if (known !== undefined) return known;
  const target = engine.types.get(name);
  const sort = below.by === "child" ? (type.children[below.name]?.sort ?? null) : null;
  const byId = below.by === "references" && target.sortable.includes("id") ? "id" : null;
  const place = { order: parseSort(target, sort ?? byId, engine.types), view: "" };
  const selection = selectPage(info, pickTypeName(name));
  const query: ConnectionQuery = {
    ...readPageArguments(given, place),
    fields: pickFields(target, selection),
    conditions: [],
    wants: { rows: selection.wantsRows, total: selection.wantsTotal },
    lifeCycle: "active",
  };
  const prepared = { query, place, batch: `below ${getPlace(info.fieldNodes)} ${type.name}` };
  pages.set(info.fieldNodes, prepared);
  return prepared;
}

async function resolveBelow(
  context: CallContext,
  info: GraphQLResolveInfo,
  source: RecordSource,
  field: Extract<GraphField, { is: "connection" }>,
  given: PageArguments,
): Promise<PageSource> {
  const { engine, by } = context;
  const target = engine.types.get(field.target);
  const { query, place, batch } = prepareBelow(context, info, source.type, field, given);
  if (!source.isReadable) return buildPageSource(target, emptyPage, given, place);
  const found = await context.batches.load(batch, source.id as number, (ids) =>
    loadConnectionsBelow(engine, by, target, buildScopeBelow(context, source.type, field.below), ids, query),
  );
  return buildPageSource(target, found ?? emptyPage, given, place);
}

/** Files are few: all of a record are read, and the page is cut out of them. */
async function resolveFiles(
  context: CallContext,
  { id, isReadable }: RecordSource,
  type: Type,
  field: string | null,
  { first, last, after, before }: PageArguments,
): Promise<unknown> {
  const { engine, by, domain } = context;
  const found = isReadable
    ? await context.batches.load(`files ${type.name} ${field}`, id as number, (ids) =>
        loadFilesOf(engine, by, type, field, ids),
      )
    : [];
  const all = (found ?? []).map((file) => ({
    ...file,
    id: buildNodeId(domain, "Attachment", file.id),
    filename: file.name,
    expiringUrl: engine.serializer.signUri(file.key, by),
  }));
  const from = after == null ? 0 : all.findIndex((file) => file.id === after) + 1;
  const to =
    before == null
      ? all.length
      : Math.max(
          0,
          all.findIndex((file) => file.id === before),
        );
  const between = all.slice(from, to);
  const nodes = last == null ? between.slice(0, first ?? 0) : between.slice(-last);
  const start = nodes.length === 0 ? from : all.indexOf(nodes[0] as (typeof all)[number]);
  return {
    nodes,
    edges: nodes.map((node) => ({ cursor: node.id, node })),
    pageInfo: {
      hasNextPage: start + nodes.length < all.length,
      hasPreviousPage: start > 0,
      startCursor: nodes[0]?.id ?? null,
      endCursor: nodes.at(-1)?.id ?? null,
    },
    totalCount: all.length,
  };
}

type RootArguments = PageArguments & {
  filter?: Readonly<Record<string, unknown>> | null;
  order?: readonly { field: string; direction?: "asc" | "desc" | null }[] | null;
  view?: string | null;
};

/** The collection of a type. */
export const resolveRoot =
  (type: Type): Resolver<unknown> =>
  async (_source, given, context, info) => {
    const { engine, by } = context;
    const { filter, order, view: viewName, ...pageArguments } = given as RootArguments;
    const sort = (order ?? []).map(({ field, direction }) => `${direction === "desc" ? "-" : ""}${field}`).join(",");
    const name = viewName ?? "current_account";
    const place = { order: parseSort(type, sort === "" ? null : sort, engine.types, pickSortable(type)), view: name };
    const view = pickViews(type).get(name) as ListView;
    const selection = selectPage(info, pickTypeName(type.name));
    const conditions = await buildFilterClauses(context, type, filter);
    if (view.is === "current account") conditions.push(oneOfAccounts(type.accountColumn, [by.account]));
    if (view.is === "condition") conditions.push(conditionClause(type, view.condition, by, engine.rules));
    const page = await loadConnection(engine, by, type, {
      ...readPageArguments(pageArguments, place),
      fields: pickFields(type, selection),
      conditions,
      wants: { rows: selection.wantsRows, total: selection.wantsTotal },
      lifeCycle: view.is === "life cycle" ? view.state : "active",
    });
    return buildPageSource(type, page, pageArguments, place);
  };

/** A record that the document names by its nodeID; null: there is none that the caller may read. */
export async function loadNode(
  context: CallContext,
  info: GraphQLResolveInfo,
  text: string,
): Promise<RecordSource | null> {
  const { engine, by, domain, identity } = context;
  const named = parseNodeId(text, domain, engine.types);
  if (named === null || info.schema.getType(pickTypeName(named.type.name)) === undefined) return null;
  const { type, id } = named;
  if (!allows(identity.scopes, type.scopeName, "Read", by.account)) return null;
  return loadRecord(context, info, type, id);
}

/** One record with what the document selects of it. */
export async function loadRecord(
  context: CallContext,
  info: GraphQLResolveInfo,
  type: Type,
  id: number | string,
  inherited = false,
  objectName = pickTypeName(type.name),
): Promise<RecordSource | null> {
  const { batches } = context;
  const fields = pickFields(type, selectRecord(info, objectName));
  const batch = `record ${type.name} ${inherited} ${fields.join(",")}`;
  return (await batches.load(batch, id, (ids) => loadSources(context, type, ids, fields, inherited))) ?? null;
}

/** Records by their ids. Each is parsed once, for however many aliases. */
async function loadSources(
  { engine, by }: CallContext,
  type: Type,
  ids: readonly (number | string)[],
  fields: readonly string[],
  inherited = false,
): Promise<Map<number | string, RecordSource>> {
  const found = await loadByIds(engine, by, type, ids, fields, inherited);
  return new Map([...found].map(([id, json]) => [id, parseRecord(type, json)]));
}

export const resolveNode: Resolver<unknown> = async (_source, given, context, info) => {
  const { id, nodeID } = given as { id?: string | null; nodeID?: string | null };
  const found = await loadNode(context, info, id ?? nodeID ?? "");
  if (found === null) throw new NotFound();
  return found;
};

export const resolveNodes: Resolver<unknown> = (_source, given, context, info) =>
  (given as { ids: readonly string[] }).ids.map((id) => loadNode(context, info, id));

/** People see their own record in every account. */
export const resolveMe: Resolver<unknown> = (_source, _given, context, info) =>
  loadRecord(context, info, context.engine.types.get("person"), context.by.person, true);

export const resolveAccount: Resolver<unknown> = async (_source, _given, context, info) => {
  const { id, name } = context.by.accountRecord;
  const type = context.engine.types.get("account");
  const found = await loadRecord(context, info, type, id);
  return found ?? { type, id, data: { id, name }, isReadable: false };
};
