import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { reportSchedule } from "../../../records/answers/report-schedules.ts";
import { Forbidden, Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { buildReference, jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { type Caller, mayWorkIn } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { loadMailRecipients } from "../mail-recipients.ts";
import { buildKeptDashboardQuery, loadReport, readKeptTitle } from "./kept-dashboards.ts";
import { findNextSending, frequencies } from "./sending-times.ts";

// Schedules of reports (D-443). A person sees and ends those that they made, and those that they receive.

export const reportJob = "scheduled report";

type ReportSchedule = AnswerOf<typeof reportSchedule>;

const maxRecipients = 20;
const maxSchedules = 20;

type StoredSchedule = Omit<ReportSchedule, "title"> & { kept: string | null };
const withTitle = ({ kept, id, report, ...rest }: StoredSchedule): ReportSchedule => ({
  ...{ id, report, title: readKeptTitle(kept) },
  ...rest,
});

const kept = buildKeptDashboardQuery("k.value", "s.account_id", "s.person_id", "substr(s.report, 12)");
const columns = `s.id, s.report, CASE WHEN s.report LIKE 'dashboards/%' THEN (${kept}) END AS kept, s.frequency, ${buildReference("teams", "s.team_id")} AS team, ${buildReference("people", "s.person_id")} AS person,
  (SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.name, p.id), '[]') FROM report_schedule_recipients r JOIN people p ON p.id = r.person_id
    WHERE r.report_schedule_id = s.id AND r.account_id = s.account_id) AS recipients, s.next_at, s.last_sent_at`;
const selectOwn = jsonStatement<StoredSchedule>(
  `SELECT ${columns} FROM report_schedules s WHERE s.account_id = $1 AND (s.person_id = $2 OR s.id IN (
  SELECT r.report_schedule_id FROM report_schedule_recipients r WHERE r.account_id = $1 AND r.person_id = $2)) ORDER BY s.id DESC LIMIT 200`,
);
const selectOne = jsonStatement<StoredSchedule>(
  `SELECT ${columns} FROM report_schedules s WHERE s.account_id = $1 AND s.id = $2`,
);
const selectTeam = statement("SELECT 1 FROM teams WHERE id = $1 AND account_id = $2");
const countOwn = statement("SELECT count(*) FROM report_schedules WHERE account_id = $1 AND person_id = $2");
const insertSchedule = statement(
  `INSERT INTO report_schedules (account_id, person_id, report, frequency, team_id, next_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
);
const insertRecipients = statement(
  "INSERT INTO report_schedule_recipients (account_id, report_schedule_id, person_id) SELECT $1, $2, unnest($3::integer[])",
);
const deleteSchedule = statement("DELETE FROM report_schedules WHERE account_id = $1 AND id = $2");
const deleteRecipient = statement(
  "DELETE FROM report_schedule_recipients WHERE account_id = $1 AND report_schedule_id = $2 AND person_id = $3",
);

/** Figures are for those who work in the account; requesters have the portal. */
export const seesReports = (roles: ReadonlySet<string>): boolean => [...roles].some((role) => role !== "key_contact");

function requireReader({ roles }: Caller): void {
  if (!seesReports(roles)) throw new Forbidden();
}

export async function listSchedules({ database }: Engine, by: Caller): Promise<ReportSchedule[]> {
  requireReader(by);
  return (await queryRows(database, selectOwn, [by.account, by.person])).map(withTitle);
}

export async function createSchedule(
  engine: Engine,
  by: Caller,
  members: Readonly<Record<string, unknown>>,
): Promise<ReportSchedule> {
  requireReader(by);
  const { database, clock } = engine;
  const problems: Problem[] = Object.keys(members)
    .filter((name) => !["report", "frequency", "team_id", "recipient_ids"].includes(name))
    .map((name) => [name, "is unknown"]);
  const frequency = frequencies.find((each) => each === members.frequency);
  if (frequency === undefined) problems.push(["frequency", "is not included in the list"]);
  const report = typeof members.report === "string" ? members.report : "";
  if ((await loadReport(database, by.account, by.person, report)) === null)
    problems.push(["report", "is not included in the list"]);
  const team = members.team_id ?? null;
  if (team !== null && !(isId(team) && (await database.read(selectTeam, [team, by.account])).length > 0))
    problems.push(["team", "is not valid"]);
  const recipients = await parseRecipients(engine, by, members.recipient_ids ?? [by.person], problems);
  const [count] = await database.read(countOwn, [by.account, by.person]);
  if (Number(count?.[0] ?? 0) >= maxSchedules) problems.push(["base", `is limited to ${maxSchedules} schedules`]);
  if (problems.length > 0 || frequency === undefined) throw new Invalid(problems);
  const now = clock.now();
  const nextAt = findNextSending(frequency, now, by.zone);
  const values = [
    by.account,
    by.person,
    report,
    frequency,
    team as number | null,
    nextAt.toISOString(),
    now.toISOString(),
  ];
  const id = await database.transaction(async (tx) => {
    const [row] = await tx.query(insertSchedule, values);
    const created = Number(row?.[0]);
    tx.send(insertRecipients, [by.account, created, recipients]);
    planSending(tx, by.account, created, nextAt);
    return created;
  });
  return withTitle((await queryFirst(database, selectOne, [by.account, id])) as StoredSchedule);
}

export function planSending(tx: Parameters<typeof addJob>[0], account: string, id: number, runAt: Date): void {
  addJob(tx, { kind: reportJob, key: String(id), account, payload: { id }, runAt });
}

const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) > 0 && (id as number) < 2 ** 31;

/** Only people who may open the report get it. */
async function parseRecipients(engine: Engine, by: Caller, given: unknown, problems: Problem[]): Promise<number[]> {
  const ids = Array.isArray(given) ? [...new Set(given)] : [];
  if (ids.length === 0 || ids.length > maxRecipients || !ids.every(isId)) {
    problems.push([
      "recipients",
      ids.length > maxRecipients ? `is limited to ${maxRecipients} people` : "is not valid",
    ]);
    return [];
  }
  const known = await loadMailRecipients(engine, ids, engine.clock.now());
  const isReader = (id: number): boolean => {
    const found = known.get(id);
    return (
      found !== undefined &&
      mayWorkIn(found.me, found.directory, by.accountRecord) &&
      seesReports(found.me.roles.get(by.account) ?? new Set())
    );
  };
  if (!ids.every(isReader)) problems.push(["recipients", "is not valid"]);
  return ids;
}

/** Ended by its creator, a schedule ends; ended by a recipient, it stops for that recipient. */
export async function endSchedule({ database }: Engine, by: Caller, id: number): Promise<void> {
  requireReader(by);
  const found = await queryFirst(database, selectOne, [by.account, id]);
  const isOwner = found?.person.id === by.person;
  if (found === null || !(isOwner || found.recipients.some((each) => each.id === by.person))) throw new NotFound();
  await database.transaction(async (tx) => {
    if (isOwner) {
      tx.send(deleteSchedule, [by.account, id]);
      deleteJob(tx, reportJob, String(id));
    } else tx.send(deleteRecipient, [by.account, id, by.person]);
  });
}
