import { monitoringEventMembers } from "../../records/answers/monitoring-events.ts";
import { toTimestamp } from "../base/clock.ts";
import { Forbidden, Invalid, type Problem } from "../base/errors.ts";
import { acquireLock, buildLockKey } from "../database/advisory-lock.ts";
import { type Statement, statement, type Transaction } from "../database/database.ts";
import { parseFirstId } from "../database/rows.ts";
import { buildReadClause, fieldsForCreate, mayCreate } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import type { Values } from "../engine/rules.ts";
import { value } from "../engine/sql/query.ts";
import { updateInTransaction } from "../engine/update.ts";
import { translateDatabaseError } from "../engine/write/database-errors.ts";
import { type Body, readInput } from "../engine/write/input.ts";
import { loadCommittedRecord, type SavedRecord, type SaveResult } from "../engine/write/respond.ts";
import { selectTeamMember } from "../rules/people/team.ts";

// ME1 to ME7. An event of a monitoring tool becomes a request, or a note of the request that an earlier event created.

/** The fields that an event may change in the request of an earlier one. */
const changeableFields = [
  "completion_reason",
  "desired_completion_at",
  "downtime_start_at",
  "downtime_end_at",
  "status",
  "waiting_until",
  "team_id",
  "member_id",
];
const statusesNeedingMember = ["accepted", "in_progress", "waiting_for", "waiting_for_customer", "completed"];

const inAccounts = "account_id = ANY($2::text[])";
// biome-ignore format: a table keeps its columns
const selectIdByName = {
  ci:               statement(`SELECT id FROM cis WHERE (label = $1 OR (software AND name = $1)) AND ${inAccounts} AND life_cycle = 'active' ORDER BY label IS DISTINCT FROM $1, id LIMIT 1`),
  service_instance: statement(`SELECT id FROM service_instances WHERE name = $1 AND ${inAccounts} ORDER BY id LIMIT 1`),
  team:             statement(`SELECT id FROM teams WHERE name = $1 AND ${inAccounts} AND NOT disabled ORDER BY id LIMIT 1`),
  person:           statement(`SELECT id FROM people WHERE lower(primary_email) = lower($1) AND ${inAccounts} AND NOT disabled AND life_cycle = 'active' ORDER BY id LIMIT 1`),
  supplier:         statement(`SELECT id FROM organizations WHERE name = $1 AND ${inAccounts} ORDER BY id LIMIT 1`),
};
const selectCiBySource = statement(
  `SELECT id FROM cis WHERE "sourceID" = $1 AND ${inAccounts} AND ($3::text IS NULL OR source = $3) AND life_cycle = 'active' ORDER BY id LIMIT 1`,
);
const selectTeam = statement(`SELECT id FROM teams WHERE id = $1 AND ${inAccounts} AND NOT disabled`);
const selectServiceInstanceOfCi = statement(
  "SELECT service_instance_id FROM service_instance_cis WHERE ci_id = $1 ORDER BY service_instance_id LIMIT 1",
);
/** Events of the teams that support the service instance skip the first line. */
const selectSupportTeamForInsider = statement(
  `SELECT i.support_team_id FROM service_instances i WHERE i.id = $1 AND i.support_team_id IS NOT NULL
AND EXISTS (SELECT 1 FROM team_members m WHERE m.person_id = $2 AND m.team_id IN (i.first_line_team_id, i.support_team_id))`,
);
const selectTemplate = statement(
  "SELECT category, impact, ci_id FROM request_templates WHERE id = $1 AND account_id = $2",
);
const selectPublicNote = statement(
  "SELECT 1 FROM notes WHERE request_id = $1 AND account_id = $3 AND NOT internal AND text = $2 LIMIT 1",
);

const oneDay = 86_400_000;
const toText = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : typeof value === "number" ? String(value) : null;
const isNumber = (value: unknown): boolean => /^\d{1,9}$/.test(toText(value) ?? "");
const pickId = (value: unknown): number | null => (typeof value === "number" ? value : null);
const pickString = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Fields that identify the monitoring tool; every caller may set them. */
const monitoringToolFields = ["source", "sourceID"];

/**
 * Creates a request, or updates the one that an earlier event created. A lock serializes equal events that arrive at the
 * same moment. `checkMayUpdate` runs before an existing request is changed.
 */
export async function receiveMonitoringEvent(
  engine: Engine,
  by: Caller,
  body: Body,
  checkMayUpdate: () => Promise<void>,
): Promise<SaveResult> {
  const type = engine.types.get("request");
  if (!mayCreate(type, by)) throw new Forbidden();
  const { support_domain: _, ...given } = body.members;
  const ignored = Object.keys(given).filter((name) => !(name in monitoringEventMembers));
  try {
    const saved: SavedRecord = await engine.database.transaction(async (tx) => {
      const problems: Problem[] = body.strict ? ignored.map((name) => [name, "is unknown"]) : [];
      const members = await resolveNames(tx, by, given, problems);
      if (toText(members.subject) === null) problems.push(["subject", "can't be blank"]);
      if (problems.length > 0) throw new Invalid(problems);
      const input = readInput(type, { ...body, members, strict: false }, by, "create");
      if (input.problems.length > 0) throw new Invalid(input.problems);
      const { values } = input;
      values.source ??= "Event";
      values.requested_by ??= by.person;
      values.requested_for ??= values.requested_by;
      const earlier = await findMatchingRequest(engine, tx, by, values);
      if (earlier !== null) {
        const changes = Object.fromEntries(
          Object.entries(members).filter(([name, value]) => changeableFields.includes(name) && value !== null),
        );
        const note = pickString(values.note);
        const isNewNote = note !== null && !(await hasPublicNote(tx, by.account, earlier, note));
        if (isNewNote || Object.keys(changes).length > 0) await checkMayUpdate();
        if (isNewNote && Object.keys(changes).length > 0) changes.note = note;
        else if (isNewNote)
          await createUnchecked(
            { engine, tx, by, type: engine.types.get("note") },
            { text: note },
            {
              fixed: { request: earlier },
            },
          );
        if (Object.keys(changes).length > 0)
          await updateInTransaction({ engine, tx, by, type }, earlier, { ...body, members: changes, strict: false });
        return { id: earlier, account: by.account, ignored, existing: true };
      }
      const fields = fieldsForCreate(type, by);
      const isAllowed = (name: string) =>
        values[name] == null || monitoringToolFields.includes(name) || fields?.has(name);
      if (fields !== null && !Object.keys(values).every(isAllowed)) throw new Forbidden();
      await fillDefaults(tx, by, values);
      const id = await createUnchecked({ engine, tx, by, type }, values);
      return { id, account: by.account, ignored };
    }, by.zone);
    // Equal events wait for each other, so the answer is read when the lock is free.
    return { ...saved, ...(await loadCommittedRecord(engine, by, type, saved)) };
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}

/** Whether the request has a public note with this text already. */
export const hasPublicNote = async (
  tx: Transaction,
  account: string,
  request: number,
  note: string,
): Promise<boolean> => parseFirstId(await tx.query(selectPublicNote, [request, note, account])) !== null;

/** "Harbor Logistics @harbor": a name and the account to look it up in. */
const nameAtAccount = /^(.*\S)\s+@([a-z0-9-]+)$/s;

/**
 * Replaces names by ids. An unknown team or member is dropped; any other unknown name is a problem. `anywhere`: a name may
 * carry the account it belongs to.
 */
export async function resolveNames(
  tx: Transaction,
  by: Caller,
  given: Readonly<Record<string, unknown>>,
  problems: Problem[],
  anywhere = false,
): Promise<Record<string, unknown>> {
  const members = Object.fromEntries(Object.entries(given).filter(([name]) => name in monitoringEventMembers));
  const here = [by.account];
  const team = toText(members.team_id);
  if (team !== null && (!isNumber(team) || parseFirstId(await tx.query(selectTeam, [Number(team), here])) === null))
    delete members.team_id;
  const replace = async (name: string, find: Statement, accounts: readonly string[], dropUnknown = false) => {
    const wanted = toText(members[name]);
    delete members[name];
    if (wanted === null || toText(members[`${name}_id`]) !== null) return;
    const [, nameAlone, account] = (anywhere ? nameAtAccount.exec(wanted) : null) ?? [];
    const id = parseFirstId(await tx.query(find, [nameAlone ?? wanted, account === undefined ? accounts : [account]]));
    if (id !== null) members[`${name}_id`] = id;
    else if (!dropUnknown) problems.push([name, "is not valid"]);
  };
  await replace("ci", selectIdByName.ci, here);
  const sourceID = toText(members.ci_sourceID);
  if (sourceID !== null && toText(members.ci_id) === null) {
    const id = parseFirstId(await tx.query(selectCiBySource, [sourceID, here, toText(members.ci_source)]));
    if (id === null) problems.push(["ci", "is not valid"]);
    else members.ci_id = id;
  }
  delete members.ci_source;
  delete members.ci_sourceID;
  await replace("service_instance", selectIdByName.service_instance, here);
  await replace("supplier", selectIdByName.supplier, by.directoryAccounts);
  for (const name of ["requested_by", "requested_for"])
    await replace(name, selectIdByName.person, by.directoryAccounts);
  await replace("member", selectIdByName.person, by.directoryAccounts, true);
  await replace("team", selectIdByName.team, here, true);
  if (toText(members.ci_id) === null && isNumber(members.template_id))
    members.ci_id = (await tx.query(selectTemplate, [Number(members.template_id), by.account]))[0]?.[2] ?? null;
  const item = toText(members.ci_id);
  if (isNumber(item) && toText(members.service_instance_id) === null) {
    const instance = parseFirstId(await tx.query(selectServiceInstanceOfCi, [Number(item)]));
    if (instance !== null) members.service_instance_id = instance;
  }
  return members;
}

/** Events with the same key are about the same request. */
const buildMatchingKey = (
  by: Caller,
  { ci, service_instance, source, subject, note, requested_for }: Values,
): string =>
  ci == null
    ? buildLockKey("event", by.account, source, subject, note ?? null, requested_for)
    : buildLockKey("event", by.account, source, service_instance ?? null, ci);

/**
 * The newest open request of the last 24 hours that the event is about, among those the caller may read. `forTheSame`: it
 * has the same requested_for, even if both are about one configuration item.
 */
export async function findMatchingRequest(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  values: Values,
  forTheSame = false,
): Promise<number | null> {
  tx.send(acquireLock, [buildMatchingKey(by, values)]); // travels with the query, which sees what was committed before
  const type = engine.types.get("request");
  const readable = buildReadClause(type, by, engine.rules);
  const byItem = values.ci != null;
  const hasNote = values.note != null;
  const parts = {
    account: value(by.account),
    source: value(pickString(values.source)),
    since: value(toTimestamp(new Date(by.now.getTime() - oneDay))),
    instance: byItem ? value(pickId(values.service_instance)) : null,
    ci: byItem ? value(pickId(values.ci)) : null,
    subject: byItem ? null : value(pickString(values.subject)),
    requestedFor: byItem && !forTheSame ? null : value(pickId(values.requested_for)),
    note: byItem || !hasNote ? null : value(pickString(values.note)),
    readable,
  };
  const query = engine.statements.prepare(`event#${hasNote}`, parts, (sql) => {
    const about = byItem
      ? `a.service_instance_id IS NOT DISTINCT FROM ${sql.instance}::integer AND a.id IN (SELECT request_id FROM request_cis l WHERE l.ci_id = ${sql.ci} AND l.account_id = a.account_id)${forTheSame ? ` AND a.requested_for_id = ${sql.requestedFor}` : ""}`
      : `a.subject = ${sql.subject} AND a.requested_for_id = ${sql.requestedFor} AND ${
          hasNote
            ? `EXISTS (SELECT 1 FROM notes n WHERE n.request_id = a.id AND n.account_id = a.account_id AND NOT n.internal AND n.text = ${sql.note})`
            : "NOT EXISTS (SELECT 1 FROM notes n WHERE n.request_id = a.id AND n.account_id = a.account_id AND NOT n.internal AND n.created_at <= a.created_at)"
        }`;
    return `SELECT a.id FROM requests a WHERE a.account_id = ${sql.account} AND a.source = ${sql.source} AND a.created_at > ${sql.since}::timestamptz AND a.status <> 'completed' AND a.life_cycle = 'active' AND ${about} AND ${sql.readable} ORDER BY a.id DESC LIMIT 1`;
  });
  const found = await tx.query(query.statement, query.values);
  return parseFirstId(found);
}

/** ME2, ME3: values that the event does not give. */
export async function fillDefaults(tx: Transaction, by: Caller, values: Values): Promise<void> {
  const template = pickId(values.template);
  const [row] = template === null ? [] : await tx.query(selectTemplate, [template, by.account]);
  values.category ??= row?.[0] ?? (values.service_instance == null ? "other" : "incident");
  if (values.category === "incident") values.impact ??= row?.[1] ?? "top";
  const instance = pickId(values.service_instance);
  if (values.team == null && values.member == null && instance !== null) {
    const supportTeam = parseFirstId(await tx.query(selectSupportTeamForInsider, [instance, by.person]));
    if (supportTeam !== null) values.team = supportTeam;
  }
  const [team, member] = [pickId(values.team), pickId(values.member)];
  const isInTeam = async (person: number) =>
    team === null || parseFirstId(await tx.query(selectTeamMember, [team, person])) !== null;
  if (member !== null && !(await isInTeam(member))) delete values.member;
  if (values.member == null && statusesNeedingMember.includes(String(values.status)) && (await isInTeam(by.person)))
    values.member = by.person;
}
