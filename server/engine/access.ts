import {
  type AccessOperation,
  administrators,
  grantsFor as collectGrants,
  type Grant,
} from "../../records/people/roles.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { type Caller, listReachableAccounts, type Person } from "./caller.ts";
import { buildSharedIdClause, buildSharedOwnerClause, buildSharedRows } from "./overlays.ts";
import type { Rules } from "./rules.ts";
import { allOf, always, anyOf, type Clause, never, oneOfAccounts, splitClause, unsplit } from "./sql/clauses.ts";
import { conditionClause } from "./sql/conditions.ts";
import type { Owner, Type } from "./types.ts";

// The only place that decides who may do what, from the grants of records/people/roles.ts: `buildAccessClause` as an SQL
// condition for lists, single records, changes and links, `mayCreate` where there is no row yet.

export type { AccessOperation } from "../../records/people/roles.ts";

const noRoles: ReadonlySet<string> = new Set();
export const rolesIn = (by: Caller, account: string): ReadonlySet<string> => by.me.roles.get(account) ?? noRoles;

function buildGrantClause(type: Type, list: readonly Grant[], by: Caller, rules: Rules): Clause {
  if (list.length === 0) return never;
  if (list.some((grant) => grant.where === undefined)) return always;
  return anyOf(list.map((grant) => conditionClause(type, grant.where as NonNullable<Grant["where"]>, by, rules)));
}

type KnownGrants = Map<Type, Map<AccessOperation, readonly Grant[]>>;
/** Every call asks several times, and the roles of a person are the same object until they change. */
const knownGrants = new WeakMap<ReadonlySet<string>, KnownGrants>();

function grantsFor(type: Type, operation: AccessOperation, roles: ReadonlySet<string>): readonly Grant[] {
  const byType: KnownGrants = knownGrants.get(roles) ?? new Map();
  const byOperation: Map<AccessOperation, readonly Grant[]> = byType.get(type) ?? new Map();
  const known = byOperation.get(operation) ?? collectGrants(type, operation, roles);
  knownGrants.set(roles, byType.set(type, byOperation.set(operation, known)));
  return known;
}

/** The accounts whose rows of this type a call can read or change. */
export const pickAccounts = (type: Type, by: Caller): readonly string[] =>
  type.sharing.sharedByDirectory || type.owners.some((owner) => owner.type.sharing.sharedByDirectory)
    ? by.directoryAccounts
    : [by.account];

/** The roles for rows of an account: reading a shared record needs a role in either account, changing it one in its own. */
function rolesFor(operation: AccessOperation, by: Caller, account: string): ReadonlySet<string> {
  const roles = rolesIn(by, account);
  if (operation !== "read" || account === by.account) return roles;
  return roles.size === 0 ? by.roles : new Set([...by.roles, ...roles]);
}

const isForWholeRecord = (grant: Grant): boolean => grant.fields === undefined;

/** The rows of the call's accounts on which the caller may perform an operation; `counts` picks the grants. */
export function buildAccessClause(
  type: Type,
  operation: AccessOperation,
  by: Caller,
  rules: Rules,
  counts: (grant: Grant) => boolean = isForWholeRecord,
): Clause {
  if (type.owners.length > 0) return buildOwnersClause(type, operation, by, rules, counts);
  const accounts = pickAccounts(type, by);
  const rows = accounts.map((account) =>
    buildGrantClause(type, grantsFor(type, operation, rolesFor(operation, by, account)).filter(counts), by, rules),
  );
  const hasAllRows = rows.every((clause) => clause === always);
  if (hasAllRows && operation === "read" && type.sharing.acrossAccounts !== null)
    return buildSharedReadClause(type, by, rules);
  const ofAccounts = hasAllRows
    ? oneOfAccounts(type.accountColumn, accounts)
    : anyOf(
        accounts.flatMap((account, index) => {
          const granted = rows[index] as Clause;
          return granted === never ? [] : [allOf([oneOfAccounts(type.accountColumn, [account]), granted])];
        }),
        true,
      );
  if (type.sharing.acrossAccounts === null) return ofAccounts;
  const across = grantsFor(type, operation, by.roles).filter((grant) => grant.acrossAccounts && counts(grant));
  return across.length === 0 ? ofAccounts : anyOf([ofAccounts, buildGrantClause(type, across, by, rules)]);
}

/** The rows that the caller may read; `inherited`: the rights on their parent were checked already. */
export function buildReadClause(type: Type, by: Caller, rules: Rules, inherited = false): Clause {
  const rights = inherited ? buildReachClause(type, by) : buildAccessClause(type, "read", by, rules);
  if (type.access.visible === null) return rights;
  const visible = unsplit(conditionClause(type, type.access.visible, by, rules));
  return rights === always ? visible : allOf([rights, visible]);
}

/** Rows of a type that live with their account, in those accounts that the caller can reach. */
const buildReachClause = (type: Type, by: Caller): Clause =>
  type.placement === "account" ? oneOfAccounts(type.accountColumn, listReachableAccounts(by)) : always;

/** For rows of other tables that live with their account, in a condition on records that the caller can reach. */
export const ofReachableAccounts = (by: Caller): Clause => oneOfAccounts("account_id", listReachableAccounts(by));

/**
 * Owned records follow the rights on their owner: who may read it reads them, who may change it changes them. The owners of
 * which a caller may read all are one condition: nearly every row meets it, so rows are tested in the order of the list.
 */
function buildOwnersClause(
  type: Type,
  operation: AccessOperation,
  by: Caller,
  rules: Rules,
  counts: (grant: Grant) => boolean,
): Clause {
  const onOwner = operation === "read" ? "read" : "update";
  const [ofAll, ofSome, ofShared]: [Clause[], Clause[], Clause[]] = [[], [], []];
  for (const owner of type.owners) {
    const rows = buildAccessClause(owner.type, onOwner, by, rules, counts);
    if (rows === never) continue;
    const isAll = rows.key === oneOfAccounts(owner.type.accountColumn, pickAccounts(owner.type, by)).key;
    (isAll ? ofAll : ofSome).push(buildOwnerClause(type, owner, by, rows));
    const shared = owner.type.sharing.acrossAccounts === null ? buildSharedRows(owner.type, by) : null;
    if (shared !== null) ofShared.push(buildSharedIdClause(owner.column, owner.type, shared, rows, operation));
  }
  // A record has one owner, so one of the parts finds it, unless it is shared as well.
  const own = [...(ofAll.length === 0 ? [] : [unsplit(anyOf(ofAll), anyOf(ofAll, true))]), ...ofSome];
  return anyOf([...own, ...ofShared], ofShared.length === 0);
}

/** The rows of an owner that meets a condition. */
function buildOwnerClause(type: Type, owner: Owner, by: Caller, rows: Clause): Clause {
  const active = owner.type.deletion.archivable === null ? "" : "life_cycle = 'active' AND ";
  const column = quoteIdentifier(owner.column);
  const buildCondition = (inner: string, clause: Clause, next: () => string) =>
    `${active === "" ? "" : `${inner}.${active}`}${clause.sql(inner, next)}`;
  const selectOwners = (alias: string, clause: Clause, next: () => string) =>
    `SELECT ${alias}o.id FROM ${owner.type.table} ${alias}o WHERE ${buildCondition(`${alias}o`, clause, next)}`;
  const key = `${column} of ${owner.type.name}[${rows.key}]`;
  const { clauses: branches } = splitClause(rows, "all");
  const byOwner: Clause =
    type.storage.grows || owner.type.storage.grows
      ? {
          key,
          // OFFSET 0 keeps PostgreSQL from reading all owners of an account, of which there may be millions, to test a row.
          sql: (alias, next) =>
            `EXISTS (SELECT 1 FROM ${owner.type.table} ${alias}o WHERE ${alias}o.id = ${alias}.${column} AND ${buildCondition(`${alias}o`, rows, next)} OFFSET 0)`,
          values: rows.values,
          keyed: {
            key: `keyed ${key}`,
            sql: (alias, next) =>
              `${alias}.${column} IS NOT NULL AND ${alias}.${column} IN (${branches.map((branch) => selectOwners(alias, branch, next)).join(" UNION ALL ")})`,
            values: branches.flatMap(({ values }) => values),
          },
        }
      : {
          key,
          sql: (alias, next) => `${alias}.${column} IN (${selectOwners(alias, rows, next)})`,
          values: rows.values,
        };
  // The account on the row itself makes PostgreSQL use its index; rows of other accounts are found through their owner.
  if (owner.type.sharing.acrossAccounts !== null) return byOwner;
  return allOf([oneOfAccounts(type.accountColumn, pickAccounts(owner.type, by)), byOwner]);
}

/** The rows of the call's accounts, and those that other accounts share with it. */
export function buildSharedReadClause(type: Type, by: Caller, rules: Rules): Clause {
  const own = oneOfAccounts(type.accountColumn, pickAccounts(type, by));
  const others =
    type.sharing.acrossAccounts === null ? never : conditionClause(type, type.sharing.acrossAccounts, by, rules);
  return others === never ? own : anyOf([own, others]);
}

/** The rows of all accounts that the person belongs to. A caller gets 404 for all others. */
export function buildTenantClause(type: Type, by: Caller, rules: Rules): Clause {
  const accounts = [...new Set([...by.memberAccounts, ...pickAccounts(type, by)])];
  const own = oneOfAccounts(type.accountColumn, accounts);
  if (type.sharing.acrossAccounts !== null) return anyOf([own, buildSharedReadClause(type, by, rules)]);
  const shared = buildSharedOwnerClause(type, by);
  return shared === null ? own : anyOf([own, shared]);
}

/** The fields that the caller may change where grants are limited to fields. Null: no grant is. */
export function limitedFields(type: Type, by: Caller): ReadonlySet<string> | null {
  const lists = pickAccounts(type, by).flatMap((account) =>
    grantsFor(type, "update", rolesIn(by, account)).flatMap((grant) =>
      grant.fields === undefined ? [] : [grant.fields],
    ),
  );
  return lists.length === 0 ? null : new Set(lists.flat());
}

/** The fields that the caller may give a new record. Null: all of them. */
export function fieldsForCreate(type: Type, by: Caller): ReadonlySet<string> | null {
  const lists = grantsFor(type, "create", by.roles).map((grant) => grant.fields);
  return lists.includes(undefined) ? null : new Set(lists.flatMap((list) => list ?? []));
}

/** The rows that a field may newly refer to: those that the caller may read, where the type has grants for the caller. */
export const buildReferenceClause = (type: Type, by: Caller, rules: Rules): Clause =>
  !by.isService && hasAnyGrant(type, "read", by)
    ? buildReadClause(type, by, rules)
    : buildSharedReadClause(type, by, rules);

/** Whether the caller has any grant for the operation; without one a list answers 403. */
export const hasAnyGrant = (type: Type, operation: AccessOperation, by: Caller): boolean =>
  type.owners.length > 0
    ? type.owners.some((owner) => hasAnyGrant(owner.type, operation === "read" ? "read" : "update", by))
    : pickAccounts(type, by).some((account) => grantsFor(type, operation, rolesFor(operation, by, account)).length > 0);

/** Whether the caller may read every row that the account of the call has of a type. */
export const mayReadAllRows = (type: Type, by: Caller): boolean =>
  type.access.visible === null &&
  (type.owners.length > 0
    ? type.owners.every((owner) => mayReadAllRows(owner.type, by))
    : grantsFor(type, "read", by.roles).some((grant) => grant.where === undefined));

/** A record is created in the account of the call. */
export const mayCreate = (type: Type, by: Caller): boolean => grantsFor(type, "create", by.roles).length > 0;

export const isAdministratorOf = (person: Person, account: string): boolean =>
  administrators.some((role) => person.roles.get(account)?.has(role));

export const isAdministrator = (by: Caller, account: string): boolean => isAdministratorOf(by.me, account);
