import type { StoredItem } from "../../records/answers/kept-items.ts";
import { administrators } from "../../records/people/roles.ts";
import type { Clock } from "../base/clock.ts";
import { BadRequest, Forbidden, Invalid, NotFound, TooLarge } from "../base/errors.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../database/rows.ts";
import type { Caller, Person } from "../engine/caller.ts";
import { isStorable } from "../engine/kinds/kind.ts";

// Data that the web interface stores on the server: JSON objects with a key, of some kinds, for a person, a team or the account.
// The server does not interpret them (D-230).

type Kind = {
  /** items of a team or of the account, too */
  shared: boolean;
  /** items per owner */
  most: number;
  /** the oldest item makes room for a new one; otherwise the new one is refused */
  dropsOldest?: true;
};

// biome-ignore format: a table keeps its columns
const kinds: Readonly<Record<string, Kind>> = {
  view:       { shared: true,  most: 200 },
  draft:      { shared: false, most: 500, dropsOldest: true },
  pin:        { shared: true,  most: 50 },
  dashboard:  { shared: true,  most: 50 },
  snippet:    { shared: true,  most: 200 },
  preference: { shared: true,  most: 200 },
  recent:     { shared: false, most: 50, dropsOldest: true },
  tour:       { shared: false, most: 50 },
  portal:     { shared: true,  most: 50 },
};

const maxValueBytes = 65_536;
const maxKeyLength = 200;

// People who may change items of a team or of the account: designers, administrators, and managers of work.
const designers = ["account_designer", "directory_designer", ...administrators];
const managers = [
  ...["service_desk_manager", "service_level_manager", "problem_manager", "workflow_manager", "project_manager"],
  "release_manager",
];

export type KeptItemsContext = { database: Database; clock: Clock };
export type KeptItemsCaller = { person: Person; account: string };

type Owner = { text: "me" | "account" | `team:${number}`; stored: string; person: number | null; team: number | null };
type Row = {
  owner: string;
  key: string;
  value: string;
  team_id: number | null;
  team_name: string | null;
  updated_at: string;
  updated_by_id: number | null;
  updated_by_name: string | null;
};

const columns = `i.owner, i.key, i.value, i.team_id, t.name AS team_name, i.updated_at, i.updated_by_id, p.name AS updated_by_name`;
const joins = "LEFT JOIN teams t ON t.id = i.team_id LEFT JOIN people p ON p.id = i.updated_by_id";
const selectItems = jsonStatement<Row>(
  `SELECT ${columns} FROM kept_items i ${joins} WHERE i.account_id = $1 AND i.owner = ANY($2::text[]) AND i.kind = $3
ORDER BY i.updated_at DESC, i.owner, i.key`,
);
const selectItem = jsonStatement<Row>(
  `SELECT ${columns} FROM kept_items i ${joins} WHERE i.account_id = $1 AND i.owner = $2 AND i.kind = $3 AND i.key = $4`,
);
// Concurrent requests may exceed the limit by a few items, which does no harm.
const upsertItem = jsonStatement<{ key: string }>(
  `INSERT INTO kept_items (account_id, owner, kind, key, value, person_id, team_id, updated_at, updated_by_id)
SELECT $1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9
WHERE (SELECT count(*) FROM kept_items WHERE account_id = $1 AND owner = $2 AND kind = $3 AND key <> $4) < $10::integer
ON CONFLICT (account_id, owner, kind, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at, updated_by_id = excluded.updated_by_id
RETURNING key`,
);
const deleteOldest = statement(
  `DELETE FROM kept_items WHERE account_id = $1 AND owner = $2 AND kind = $3 AND key <> $4 AND key IN (
  SELECT key FROM kept_items WHERE account_id = $1 AND owner = $2 AND kind = $3 AND key <> $4 ORDER BY updated_at DESC, key OFFSET $5)`,
);
const deleteItem = jsonStatement<{ key: string }>(
  "DELETE FROM kept_items WHERE account_id = $1 AND owner = $2 AND kind = $3 AND key = $4 RETURNING key",
);
type Team = { id: number; leads: boolean };
const selectTeams = jsonStatement<Team>(
  `SELECT t.id, (t.manager_id IS NOT DISTINCT FROM $2 OR t.coordinator_id IS NOT DISTINCT FROM $2) AS leads FROM teams t
WHERE t.account_id = $1 AND (t.manager_id = $2 OR t.coordinator_id = $2
  OR EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = t.id AND m.person_id = $2))`,
);
const selectTeam = jsonStatement<{ id: number }>("SELECT id FROM teams WHERE account_id = $1 AND id = $2");

/** The items of a kind that the caller sees: own ones, those of the own teams and of the account; newest first. */
export async function listKeptItems(
  context: KeptItemsContext,
  by: KeptItemsCaller,
  kind: string,
  owner: string | undefined,
): Promise<StoredItem[]> {
  const { shared } = parseKind(kind);
  const teams = await loadTeams(context, by);
  const owners =
    owner === undefined
      ? [buildOwner("me", by), ...(shared ? [buildOwner("account", by), ...teams.map(({ id }) => ofTeam(id))] : [])]
      : [await resolveOwner(context, by, kind, owner, teams)];
  const rows = await queryRows(context.database, selectItems, [by.account, owners.map(({ stored }) => stored), kind]);
  return rows.map((row) => describe(by, teams, row));
}

export async function loadKeptItem(
  context: KeptItemsContext,
  by: KeptItemsCaller,
  kind: string,
  key: string,
  owner: string | undefined,
): Promise<StoredItem> {
  const teams = await loadTeams(context, by);
  const { stored } = await resolveOwner(context, by, kind, owner ?? "me", teams);
  const row = await queryFirst(context.database, selectItem, [by.account, stored, kind, parseKey(key)]);
  if (row === null) throw new NotFound();
  return describe(by, teams, row);
}

export async function putKeptItem(
  context: KeptItemsContext,
  by: KeptItemsCaller,
  kind: string,
  key: string,
  given: { owner: string | undefined; value: unknown },
): Promise<StoredItem> {
  const { most, dropsOldest } = parseKind(kind);
  const name = parseKey(key);
  const teams = await loadTeams(context, by);
  const owner = await resolveOwner(context, by, kind, given.owner ?? "me", teams);
  if (!mayChange(by, teams, owner)) throw new Forbidden();
  if (typeof given.value !== "object" || given.value === null || Array.isArray(given.value))
    throw new Invalid([["value", "is not valid"]]);
  const value = JSON.stringify(given.value);
  if (Buffer.byteLength(value) > maxValueBytes) throw new TooLarge();
  const place = [by.account, owner.stored, kind, name];
  await context.database.transaction(async (tx) => {
    if (dropsOldest) tx.send(deleteOldest, [...place, most - 1]);
    const now = context.clock.now().toISOString();
    const values = [...place, value, owner.person, owner.team, now, by.person.id, most];
    if ((await queryFirst(tx, upsertItem, values)) === null)
      throw new Invalid([["base", `there are ${most} of this kind already`]]);
  });
  return loadKeptItem(context, by, kind, name, owner.text);
}

/** Stores a view of a team or, without a team, of the account, in a transaction of an administrator. */
export async function saveSharedView(
  tx: Transaction,
  by: Pick<Caller, "account" | "person" | "now">,
  view: { team: number | null; name: string; definition: Readonly<Record<string, unknown>> },
): Promise<{ outcome: "created" | "updated" | "unchanged"; before: string | null; after: string }> {
  const { most } = parseKind("view");
  if (view.name.length > maxKeyLength)
    throw new Invalid([["name", "is too long (maximum is {max} characters)", { max: maxKeyLength }]]);
  const value = JSON.stringify(view.definition);
  if (Buffer.byteLength(value) > maxValueBytes)
    throw new Invalid([["definition", "is too long (maximum is {max} bytes)", { max: maxValueBytes }]]);
  const place = [by.account, view.team === null ? "account" : ofTeam(view.team).stored, "view", view.name];
  const existing = await queryFirst(tx, selectItem, place);
  const texts = { before: existing?.value ?? null, after: value };
  if (existing !== null && sameJson(existing.value, value)) return { outcome: "unchanged", ...texts };
  const values = [...place, value, null, view.team, by.now.toISOString(), by.person, most];
  if ((await queryFirst(tx, upsertItem, values)) === null)
    throw new Invalid([["base", `there are ${most} of this kind already`]]);
  return { outcome: existing === null ? "created" : "updated", ...texts };
}

/** Restores a shared view's definition, or removes it if it had none; false: it has been changed since. */
export async function restoreSharedView(
  tx: Transaction,
  by: Pick<Caller, "account" | "person" | "now">,
  view: { team: number | null; name: string; before: string | null; after: string },
): Promise<boolean> {
  const { most } = parseKind("view");
  const place = [by.account, view.team === null ? "account" : ofTeam(view.team).stored, "view", view.name];
  const existing = await queryFirst(tx, selectItem, place);
  if (existing === null) return view.before === null;
  if (!sameJson(existing.value, view.after)) return false;
  if (view.before === null) await queryFirst(tx, deleteItem, place);
  else
    await queryFirst(tx, upsertItem, [...place, view.before, null, view.team, by.now.toISOString(), by.person, most]);
  return true;
}

const sameJson = (a: string, b: string): boolean => JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));

export async function deleteKeptItem(
  context: KeptItemsContext,
  by: KeptItemsCaller,
  kind: string,
  key: string,
  given: string | undefined,
): Promise<void> {
  const teams = await loadTeams(context, by);
  const owner = await resolveOwner(context, by, kind, given ?? "me", teams);
  if (!mayChange(by, teams, owner)) throw new Forbidden();
  const place = [by.account, owner.stored, kind, parseKey(key)];
  const deleted = await context.database.transaction((tx) => queryFirst(tx, deleteItem, place));
  if (deleted === null) throw new NotFound();
}

function parseKind(name: string): Kind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) throw new NotFound();
  return kind;
}

function parseKey(key: string): string {
  if (key === "" || key.length > maxKeyLength || !isStorable(key)) throw new BadRequest("The key is not valid");
  return key;
}

const loadTeams = ({ database }: KeptItemsContext, { account, person }: KeptItemsCaller): Promise<Team[]> =>
  queryRows(database, selectTeams, [account, person.id]);

const ofTeam = (id: number): Owner => ({ text: `team:${id}`, stored: `team ${id}`, person: null, team: id });
const buildOwner = (text: "me" | "account", { person }: KeptItemsCaller): Owner =>
  text === "me"
    ? { text, stored: `me ${person.id}`, person: person.id, team: null }
    : { text, stored: "account", person: null, team: null };

/** `me`, `account` or `team:<id>`. Teams of other people are for those who may change their items. */
async function resolveOwner(
  { database }: KeptItemsContext,
  by: KeptItemsCaller,
  kind: string,
  text: string,
  teams: readonly Team[],
): Promise<Owner> {
  const { shared } = parseKind(kind);
  if (text === "me") return buildOwner(text, by);
  if (!shared) throw new BadRequest(`A ${kind} belongs to a person`);
  if (text === "account") return buildOwner(text, by);
  const id = Number(/^team:([1-9]\d{0,8})$/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(id)) throw new BadRequest("The owner must be me, account or team:<id>");
  if (teams.some((team) => team.id === id)) return ofTeam(id);
  if ((await queryFirst(database, selectTeam, [by.account, id])) === null) throw new NotFound();
  if (!holdsOneOf(by, designers)) throw new Forbidden();
  return ofTeam(id);
}

const holdsOneOf = ({ person, account }: KeptItemsCaller, roles: readonly string[]): boolean =>
  roles.some((role) => person.roles.get(account)?.has(role));

function mayChange(by: KeptItemsCaller, teams: readonly Team[], { text, team }: Pick<Owner, "text" | "team">): boolean {
  if (text === "me" || holdsOneOf(by, designers) || holdsOneOf(by, managers)) return true;
  return team !== null && teams.some(({ id, leads }) => id === team && leads);
}

function describe(by: KeptItemsCaller, teams: readonly Team[], row: Row): StoredItem {
  const owner = row.team_id !== null ? ofTeam(row.team_id) : buildOwner(row.owner === "account" ? "account" : "me", by);
  return {
    key: row.key,
    owner: owner.text,
    ...(row.team_id === null ? {} : { team: { id: row.team_id, name: row.team_name ?? "" } }),
    value: JSON.parse(row.value),
    updated_at: row.updated_at,
    updated_by: row.updated_by_id === null ? null : { id: row.updated_by_id, name: row.updated_by_name },
    may_change: mayChange(by, teams, owner),
  };
}
