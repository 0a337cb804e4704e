import type { Clause, Fragment } from "../../engine/sql/clauses.ts";
import type { Filter } from "../filter/filter.ts";
import { filterToSql, type StoredApart } from "../filter/filter-to-sql.ts";
import type { Resource } from "../schema/attribute.ts";
import type { Scim } from "../scim-context.ts";
import { memberTables, memberValues } from "./members.ts";
import { groupColumns, parseGroup, parseUser, type Stored, userColumns } from "./stored.ts";

// Lists of users and groups: by id, from a position, as SCIM pages.

export type ListQuery = { filter: Filter | null; startIndex: number; count: number; withMembers: boolean };
export type ListPage = { total: number; resources: readonly Stored[] };

const commonValues = (name: Resource["name"]): StoredApart["values"] => ({
  id: (row) => `${row}.id::text`,
  externalId: (row) => `${row}.external_id`,
  "meta.resourceType": () => `'${name}'`,
  "meta.created": (row) => `${row}.created_at`,
  "meta.lastModified": (row) => `${row}.updated_at`,
  "meta.version": (row) => `'W/"' || ${row}.version || '"'`,
});

const groupOfUser: StoredApart = {
  values: { value: () => "g.id::text", display: () => "g.display_name", type: () => "'direct'" },
  lists: {},
};

const usersApart: StoredApart = {
  values: { ...commonValues("User"), userName: (row) => `${row}.user_name`, active: (row) => `${row}.active` },
  lists: {
    groups: (row, buildPart) =>
      `EXISTS (SELECT 1 FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id AND g.account_id = m.account_id WHERE m.member_id = ${row}.id AND m.account_id = ${row}.account_id AND ${buildPart(groupOfUser, "g")})`,
  },
};
const groupsApart: StoredApart = {
  values: { ...commonValues("Group"), displayName: (row) => `${row}.display_name` },
  lists: {
    members: (row, buildPart) =>
      `EXISTS (SELECT 1 FROM ${memberTables} WHERE m.group_id = ${row}.id AND m.account_id = ${row}.account_id AND ${buildPart(memberValues, "m")})`,
  },
};

/** Attributes that have an index of their own: one look-up finds the resource. */
const keys: ReadonlySet<string> = new Set(["userName", "externalId", "displayName", "id"]);
const isLookUp = (filter: Filter | null): boolean =>
  filter !== null &&
  (filter.kind === "compare"
    ? filter.operator === "eq" && filter.path.extension === null && keys.has(filter.path.attribute.name)
    : filter.kind === "and" && filter.parts.some(isLookUp));

export async function listResources(
  { engine }: Scim,
  { name }: Resource,
  account: string,
  { filter, startIndex, count, withMembers }: ListQuery,
): Promise<ListPage> {
  const isUser = name === "User";
  const table = isUser ? "scim_users" : "scim_groups";
  const alive = isUser ? " AND NOT a.deleted" : "";
  const columns = isUser ? userColumns : groupColumns(withMembers);
  const ofAccount: Clause = {
    key: "account",
    sql: (alias, next) => `${alias}.account_id = ${next()}`,
    values: [account],
  };
  const where = filter === null ? null : filterToSql(filter, isUser ? usersApart : groupsApart);
  const condition = ({ account: own, where: met }: { account: string; where: string | null }) =>
    `${own}${alive}${met === null ? "" : ` AND ${met}`}`;
  const owner = { account, person: 0, zone: "UTC" };
  const read = (query: { statement: Parameters<typeof engine.database.read>[0]; values: readonly never[] }) =>
    isLookUp(filter)
      ? engine.database.read(query.statement, query.values)
      : engine.database.readMany(query.statement, query.values, owner);
  const page: Fragment = {
    key: "page",
    sql: (_alias, next) => `LIMIT ${next()} OFFSET ${next()}`,
    values: [count, startIndex - 1],
  };
  const rows =
    count === 0
      ? []
      : await read(
          engine.statements.prepare(
            `SCIM list of ${table} ${withMembers}`,
            { account: ofAccount, where, page },
            (sql) => `SELECT ${columns} FROM ${table} a WHERE ${condition(sql)} ORDER BY a.id ${sql.page}`,
          ) as never,
        );
  const resources = rows.map(isUser ? parseUser : parseGroup);
  // The last page says how many there are.
  if (count > 0 && rows.length < count && (rows.length > 0 || startIndex === 1))
    return { total: startIndex - 1 + rows.length, resources };
  const [counted] = await read(
    engine.statements.prepare(
      `SCIM count of ${table}`,
      { account: ofAccount, where },
      (sql) => `SELECT count(*) FROM ${table} a WHERE ${condition(sql)}`,
    ) as never,
  );
  return { total: Number(counted?.[0] ?? 0), resources };
}
