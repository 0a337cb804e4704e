import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { permission } from "../../records/answers/permissions.ts";
import { enumerations } from "../../records/enumerations/index.ts";
import { toTimestamp } from "../base/clock.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { statement, type Transaction } from "../database/database.ts";
import { parseText } from "../database/rows.ts";
import { isAdministrator } from "../engine/access.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireRecord } from "../engine/find.ts";
import { list, type Page } from "../engine/list.ts";
import { publish } from "../engine/publish.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { holdsRole, insertPermissions } from "../rules/people/person.ts";

// AZ14: the roles that a person has in accounts.

const selectPermissions = statement(
  "SELECT account_id, role FROM permissions WHERE person_id = $1 ORDER BY account_id, role",
);
const deletePermissions = statement(
  "DELETE FROM permissions WHERE account_id = $1 AND person_id = $2 AND role = ANY($3::text[])",
);
const lockPerson = statement("SELECT 1 FROM people WHERE id = $1 FOR NO KEY UPDATE");

const allRoles: readonly string[] = enumerations["permission.role"];
const directoryRoles = new Set(["directory_auditor", "directory_designer", "directory_administrator"]);
/** All other roles need the specialist role beside them. */
const rolesWithoutSpecialist = new Set([
  "specialist",
  "key_contact",
  "auditor",
  "account_designer",
  "account_administrator",
  "account_owner",
  ...directoryRoles,
]);
const rolesListingPeople = ["auditor", "specialist", "account_administrator", "account_designer"];

export type PermissionContext = { engine: Engine; by: Caller; accounts: ReadonlyMap<string, Account> };
/** A person, and the account that the roles are in. */
export type PermissionTarget = { person: number; account: string };
export type AccountRoles = AnswerOf<typeof permission>;

/** Callers see permissions in the account of the call and in the accounts that they are members of themselves. */
const isVisible = ({ by }: PermissionContext, account: string): boolean =>
  by.memberAccounts.includes(account) || account === by.account;

async function loadRolesByAccount({ engine }: PermissionContext, person: number): Promise<Map<string, string[]>> {
  const roles = new Map<string, string[]>();
  for (const [account, role] of await engine.database.read(selectPermissions, [person]))
    roles.set(parseText(account), [...(roles.get(parseText(account)) ?? []), parseText(role)]);
  return roles;
}

const describeRoles = (
  { accounts }: PermissionContext,
  account: string,
  roles: readonly string[] = [],
): AccountRoles => ({
  account: { id: account, name: accounts.get(account)?.name ?? account },
  roles: enumerations["permission.role"].filter((role) => roles.includes(role)),
});

const requirePerson = ({ engine, by }: PermissionContext, person: number): Promise<string> =>
  requireRecord(engine, by, engine.types.get("person"), person, "read");

/** A page of the people who have at least one of the roles in the account of the call; no roles given: any role. */
export async function listPeopleWithRoles(
  engine: Engine,
  by: Caller,
  query: ListQuery,
  roles: readonly string[],
): Promise<Page> {
  if (!rolesListingPeople.some((role) => by.roles.has(role))) throw new Forbidden();
  return list(engine, by, engine.types.get("person"), query, {
    clause: holdsRole(by.account, roles.length === 0 ? allRoles : roles),
    rights: "of the parent",
  });
}

/** The roles by account, in the order of the ids of the accounts. */
export async function listPermissions(context: PermissionContext, person: number): Promise<AccountRoles[]> {
  await requirePerson(context, person);
  return [...(await loadRolesByAccount(context, person))]
    .filter(([account]) => isVisible(context, account))
    .map(([account, roles]) => describeRoles(context, account, roles));
}

/** 404 when the person or the account is not visible. */
export async function requireVisiblePermissions(context: PermissionContext, target: PermissionTarget): Promise<void> {
  await requirePerson(context, target.person);
  if (!context.accounts.has(target.account) || !isVisible(context, target.account)) throw new NotFound();
}

/** 403 when the caller is no administrator of the account. */
export async function requireAdministeredPermissions(
  context: PermissionContext,
  target: PermissionTarget,
): Promise<void> {
  await requireVisiblePermissions(context, target);
  if (!isAdministrator(context.by, target.account)) throw new Forbidden();
}

export const loadPermissions = async (
  context: PermissionContext,
  { person, account }: PermissionTarget,
): Promise<AccountRoles> => describeRoles(context, account, (await loadRolesByAccount(context, person)).get(account));

export async function addRoles(
  context: PermissionContext,
  target: PermissionTarget,
  roles: readonly string[],
): Promise<AccountRoles> {
  checkRoles(context, target.account, roles);
  await changeRoles(context, target, () => ({ add: roles, drop: [] }));
  return loadPermissions(context, target);
}

export async function replaceRoles(
  context: PermissionContext,
  target: PermissionTarget,
  roles: readonly string[],
): Promise<AccountRoles> {
  checkRoles(context, target.account, roles);
  await changeRoles(context, target, (current) => ({
    add: roles,
    drop: current.filter((role) => !roles.includes(role)),
  }));
  return loadPermissions(context, target);
}

/** No roles given: removes all of them. */
export const removeRoles = (
  context: PermissionContext,
  target: PermissionTarget,
  roles: readonly string[],
): Promise<void> =>
  changeRoles(context, target, (current) => ({ add: [], drop: roles.length === 0 ? current : roles }));

/** For administrators of the person's own account. */
export async function removeAllRoles(context: PermissionContext, person: number): Promise<void> {
  const home = await requirePerson(context, person);
  if (!isAdministrator(context.by, home)) throw new Forbidden();
  for (const account of (await loadRolesByAccount(context, person)).keys())
    await changeRoles(context, { person, account }, (current) => ({ add: [], drop: current }));
}

function checkRoles({ accounts }: PermissionContext, account: string, roles: readonly string[]): void {
  if (roles.length === 0) throw new Invalid([["roles", "can't be blank"]]);
  const isDirectory = [...accounts.values()].some(({ directory }) => directory === account);
  if (!isDirectory && roles.some((role) => directoryRoles.has(role))) throw new Invalid([["roles", "is not valid"]]);
}

type RoleChange = { add: readonly string[]; drop: readonly string[] };

const changeRoles = (
  context: PermissionContext,
  target: PermissionTarget,
  decide: (current: readonly string[]) => RoleChange,
): Promise<void> => context.engine.database.transaction((tx) => changeRolesIn(context, tx, target, decide));

/** The roles that a save of the person gives and takes, in its transaction. Null: all roles in the account are taken. */
export async function saveRoles(
  context: PermissionContext,
  tx: Transaction,
  target: PermissionTarget,
  roles: readonly string[] | null,
  mode: "add" | "replace" | "remove",
): Promise<void> {
  if (!context.accounts.has(target.account) || !isVisible(context, target.account))
    throw new Invalid([["roles", "is not valid"]]);
  if (!isAdministrator(context.by, target.account)) throw new Forbidden();
  if (roles !== null) checkRoles(context, target.account, roles);
  await changeRolesIn(context, tx, target, (current) => {
    if (mode === "remove") return { add: [], drop: roles ?? current };
    return { add: roles ?? [], drop: mode === "add" ? [] : current.filter((role) => !roles?.includes(role)) };
  });
}

/** The accounts in which the caller may change the roles that a person has. */
export const listAdministeredAccounts = async (context: PermissionContext, person: number): Promise<string[]> =>
  [...(await loadRolesByAccount(context, person)).keys()].filter((account) => isAdministrator(context.by, account));

/** People can't remove a role from themselves, so an account cannot lose its last administrator by accident. */
async function changeRolesIn(
  { engine, by }: PermissionContext,
  tx: Transaction,
  { person, account }: PermissionTarget,
  decide: (current: readonly string[]) => RoleChange,
): Promise<void> {
  const current = await lockRoles(tx, person, account);
  const { add, drop } = decide(current);
  const added = add.filter((role) => !current.includes(role));
  const dropped = drop.filter((role) => current.includes(role));
  if (person === by.person && dropped.length > 0) throw new Forbidden();
  if (added.length === 0 && dropped.length === 0) return;
  const after = [...current.filter((role) => !dropped.includes(role)), ...added];
  if (!after.includes("specialist") && after.some((role) => !rolesWithoutSpecialist.has(role)))
    throw new Invalid([["roles", "is not valid"]]);
  tx.send(insertPermissions, [account, person, added, toTimestamp(by.now)]);
  tx.send(deletePermissions, [account, person, dropped]);
  await publish(engine, tx, by, {
    type: engine.types.get("person"),
    id: person,
    account,
    action: "update",
    changes: { roles: [current, after] },
    before: null,
    after: null,
    events: ["person.update"],
  });
}

async function lockRoles(tx: Transaction, person: number, account: string): Promise<string[]> {
  await tx.query(lockPerson, [person]);
  return (await tx.query(selectPermissions, [person]))
    .filter(([at]) => at === account)
    .map(([, role]) => parseText(role));
}
