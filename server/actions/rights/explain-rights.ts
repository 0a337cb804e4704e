import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { rights } from "../../../records/answers/permissions.ts";
import { enumerations } from "../../../records/enumerations/index.ts";
import { type AccessOperation, grants } from "../../../records/people/roles.ts";
import { BadRequest, Forbidden, NotFound } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import {
  buildAccessClause,
  buildReadClause,
  buildTenantClause,
  isAdministrator,
  limitedFields,
} from "../../engine/access.ts";
import { type Caller, loadAccount, loadCaller, mayWorkIn, parsePerson, personColumns } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import {
  buildSharedRows,
  exceptViewers,
  onlyRecordAccount,
  pickRows,
  recordAccountColumn,
} from "../../engine/overlays.ts";
import { allOf, always, type Clause, never } from "../../engine/sql/clauses.ts";
import { conditionClause } from "../../engine/sql/conditions.ts";
import { value } from "../../engine/sql/query.ts";
import type { Type } from "../../engine/types.ts";
import { loadTies } from "./record-ties.ts";
import { joinFields, listRoleGrants, mapRights, operations, type Right, type RoleGrant, toReason } from "./rights.ts";

export type Rights = AnswerOf<typeof rights>;

const selectPerson = statement(
  `SELECT ${personColumns}, p.disabled OR p.life_cycle <> 'active' FROM people p WHERE p.id = $1`,
);

type Subject = { by: Caller; barred: Rights["barred"] };

/** The person as a caller in the account of the call. Administrators may ask about anyone, others about themselves. */
async function loadSubject(engine: Engine, asking: Caller, person: number): Promise<Subject> {
  if (person !== asking.person) {
    await requireRecord(engine, asking, engine.types.get("person"), person, "read");
    if (!isAdministrator(asking, asking.account)) throw new Forbidden();
  }
  const [row] = await engine.database.read(selectPerson, [person]);
  if (row === undefined) throw new NotFound();
  const me = parsePerson(row);
  const reader = { query: (...query: Parameters<typeof engine.database.read>) => engine.database.read(...query) };
  const by = await loadCaller(reader, me, asking.accountRecord, {
    ...{ zone: me.zone, now: asking.now, source: "" },
    changeOrigin: asking.changeOrigin,
  });
  const home = await loadAccount(reader, me.account);
  const barred =
    row[8] === "t" ? "disabled" : mayWorkIn(me, home.directory, asking.accountRecord) ? null : "other account";
  return { by, barred };
}

/** `on`: "request" or "request:48213"; null: all types that have a list. */
export async function explainRights(
  engine: Engine,
  asking: Caller,
  person: number,
  on: string | null,
): Promise<Rights | Rights[]> {
  const subject = await loadSubject(engine, asking, person);
  if (on === null)
    return engine.types.all
      .filter(({ owners, routes }) => owners.length === 0 && !routes.singleton && !routes.onlyThroughLinks)
      .map((type) => explainType(type, subject));
  const [name = "", id, ...rest] = on.split(":");
  const type = engine.types.all.find((each) => each.name === name || each.collection === name);
  if (type === undefined || rest.length > 0)
    throw new BadRequest(`Invalid value for parameter 'on': ${on.slice(0, 100)}`);
  if (id === undefined) return explainType(type, subject);
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new NotFound();
  return explainRecord(engine, asking, type, Number(id), subject);
}

const nothing = (type: Type, operation: AccessOperation): Right => ({
  allowed: false,
  extent: "none",
  because: [],
  fields: null,
  needs: listRolesThatMay(type, operation),
});

const listRolesThatMay = (type: Type, operation: AccessOperation) =>
  enumerations["permission.role"].filter(
    (role) =>
      type.access.onlyRoles?.includes(role) !== false &&
      (grants[role] ?? []).some(
        ({ on, may, where }) =>
          where === undefined &&
          may.includes(operation) &&
          (on === type.name || on === "everything" || (on === "*" && !type.access.restricted)),
      ),
  );

function summarize(type: Type, operation: AccessOperation, held: readonly RoleGrant[]): Right {
  if (held.length === 0) return nothing(type, operation);
  const isForAll = held.some(({ grant }) => grant.where === undefined && grant.fields === undefined);
  const isCreate = operation === "create";
  return {
    allowed: true,
    extent: isForAll || isCreate ? "all" : "some",
    because: held.map(toReason),
    fields: joinFields(held),
    needs: [],
  };
}

/** Records that only exist below others follow the rights on those. */
const pickDeciding = (type: Type, operation: AccessOperation): [Type, AccessOperation] => {
  const owner = type.owners[0]?.type;
  return owner === undefined ? [type, operation] : pickDeciding(owner, operation === "read" ? "read" : "update");
};

const isPossible = (type: Type, operation: AccessOperation): boolean =>
  (operation === "read" || !type.storage.journal) &&
  (operation !== "archive" || type.deletion.archivable !== null) &&
  (operation !== "delete" || type.deletion.deletable !== false);

const listSourceFields = (type: Type, by: Caller): string[] =>
  isAdministrator(by, by.account) ? [] : ["source", "sourceID"].filter((name) => Object.hasOwn(type.fields, name));

function explainType(type: Type, { by, barred }: Subject): Rights {
  const held = mapRights((name) => {
    const [deciding, operation] = pickDeciding(type, operations[name]);
    const isBarred = barred !== null || !isPossible(type, operations[name]);
    return summarize(deciding, operation, isBarred ? [] : listRoleGrants(deciding, operation, by));
  });
  return { on: { type: type.name }, barred, ...held, not_fields: listSourceFields(type, by), ties: [] };
}

/** One statement determines for every operation whether the row is reached, and by which grants. */
async function explainRecord(
  engine: Engine,
  asking: Caller,
  type: Type,
  id: number,
  { by, barred }: Subject,
): Promise<Rights> {
  await requireReach(engine, asking, type, id);
  const shared = buildSharedRows(type, by);
  const reach = buildTenantClause(type, by, engine.rules);
  const listed = mapRights((name) => ({
    operation: operations[name],
    held: type.owners.length > 0 ? [] : listRoleGrants(type, operations[name], by),
  }));
  const parts: Record<string, Clause> = { reach };
  for (const [name, { operation, held }] of Object.entries(listed)) {
    parts[`${name}_all`] = buildDecision(engine, type, operation, by, shared !== null, false);
    parts[`${name}_some`] = buildDecision(engine, type, operation, by, shared !== null, true);
    for (const [at, { grant }] of held.entries())
      parts[`${name}_${at}`] =
        grant.where === undefined ? always : conditionClause(type, grant.where, by, engine.rules);
  }
  const names = Object.keys(parts);
  const query = engine.statements.prepare(
    `${type.name}#rights ${names.join(" ")}`,
    { ...parts, id: value(id), rows: pickRows(type, shared) },
    (sql) => {
      const life = type.deletion.archivable === null ? "'active'" : "a.life_cycle";
      const columns = names.map((name) => sql[name as keyof typeof sql]); // `names` are keys of `parts`
      const account = `a.${recordAccountColumn(type, shared)}`;
      return `SELECT ${[account, life, ...columns].join(", ")} FROM ${sql.rows} WHERE a.id = ${sql.id}`;
    },
  );
  const [row = []] = await engine.database.read(query.statement, query.values, by.zone);
  const holds = (name: string): boolean => row[2 + names.indexOf(name)] === "t";
  const isInactive = row[1] !== "active" && !isAdministrator(by, String(row[0]));
  const bar = barred ?? (holds("reach") ? (isInactive ? "inactive" : null) : "other account");
  const explained = mapRights((name): Right => {
    const { operation, held } = listed[name];
    const isAllowed = bar === null && isPossible(type, operation) && (holds(`${name}_all`) || holds(`${name}_some`));
    if (!isAllowed) return nothing(type, operation);
    const because = held.filter((_, at) => holds(`${name}_${at}`));
    const fields = holds(`${name}_all`) ? null : joinFields(because);
    return { allowed: true, extent: "all", because: because.map(toReason), fields, needs: [] };
  });
  const ties = bar === "other account" ? [] : await loadTies(engine, type, id, by);
  return { on: { type: type.name, id }, barred: bar, ...explained, not_fields: listSourceFields(type, by), ties };
}

/** The caller must be able to know of the record. */
async function requireReach(engine: Engine, asking: Caller, type: Type, id: number): Promise<void> {
  const parts = {
    id: value(id),
    reach: buildTenantClause(type, asking, engine.rules),
    rows: pickRows(type, buildSharedRows(type, asking)),
  };
  const query = engine.statements.prepare(
    `${type.name}#known`,
    parts,
    (sql) => `SELECT 1 FROM ${sql.rows} WHERE a.id = ${sql.id} AND ${sql.reach}`,
  );
  if ((await engine.database.read(query.statement, query.values)).length === 0) throw new NotFound();
}

/** The condition that the engine itself asks before it does this; `partly`: also by grants that are limited to fields. */
function buildDecision(
  engine: Engine,
  type: Type,
  operation: AccessOperation,
  by: Caller,
  isShared: boolean,
  partly: boolean,
): Clause {
  if (operation === "create") {
    const held = listRoleGrants(type, operation, by).filter(({ grant }) => partly || grant.fields === undefined);
    return held.length > 0 ? always : never;
  }
  if (operation === "read") return partly ? never : buildReadClause(type, by, engine.rules);
  if (partly && (operation !== "update" || limitedFields(type, by) === null)) return never;
  const rows = buildAccessClause(type, operation, by, engine.rules, ...(partly ? [() => true] : []));
  if (!isShared) return rows;
  return allOf([rows, operation === "update" ? exceptViewers : onlyRecordAccount]);
}
