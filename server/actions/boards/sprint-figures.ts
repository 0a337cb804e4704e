import { Temporal } from "temporal-polyfill";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { sprintFigures } from "../../../records/answers/boards.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { mayReadAllRows } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";

// Points of sprints: what was planned, what is done, and how much was left at the end of every day.

export type Sprint = AnswerOf<typeof sprintFigures>;
export type SprintItem = Sprint["items"][number];
export type BurnDownDay = Sprint["days"][number];

type SprintRow = Omit<Sprint, "days" | "points" | "done" | "items"> & { items: SprintItem[] };

const shownSprints = 8;
const recordTables = ["requests", "problems", "tasks", "project_tasks"] as const;
const finished = {
  requests: "r.completed_at",
  problems: "r.solved_at",
  tasks: "r.finished_at",
  project_tasks: "r.finished_at",
};

/** A request that is planned here may belong to another account. */
const buildItems = (sprint: string, account: string): string =>
  recordTables
    .map((table) => {
      const ofAccount = table === "requests" ? "" : ` AND r.account_id = ${account}`;
      const type = table.replace(/s$/, "");
      return `SELECT i.id, i.position, i.estimate, i.planned, i.done, '${type}' AS type, r.id AS record, CASE WHEN r.life_cycle = 'active' THEN r.subject END AS subject,
    i.created_at AS added_at, CASE WHEN i.done THEN ${finished[table]} END AS finished_at
    FROM sprint_backlog_items i JOIN ${table} r ON r.id = i.${type}_id${ofAccount} WHERE i.sprint_id = ${sprint} AND i.account_id = ${account}`;
    })
    .join(" UNION ALL ");

const selectSprints = jsonStatement<SprintRow>(
  `SELECT s.id, s.number, s.name, s.status, s.start_at, s.end_at, s.description AS goal,
  coalesce((SELECT json_agg(i ORDER BY i.position, i.id) FROM (${buildItems("s.id", "$2")}) i), '[]') AS items
FROM sprints s WHERE s.account_id = $2 AND s.scrum_workspace_id = $1 ORDER BY s.number DESC LIMIT ${shownSprints}`,
);

/** The latest sprints of a workspace, the newest last. */
export async function loadSprints(engine: Engine, by: Caller, workspace: number): Promise<Sprint[]> {
  const rows = await queryRows(engine.database, selectSprints, [workspace, by.account]);
  // Readers of a sprint may read its items, but not the records that the items refer to.
  const seesSubject = ({ type }: SprintItem) => mayReadAllRows(engine.types.get(type), by);
  return rows.reverse().map(({ items, ...sprint }) => ({
    ...sprint,
    ...sumPoints(items),
    items: items.map((item) => (seesSubject(item) ? item : { ...item, subject: null })),
    days: buildDays(sprint, items, by),
  }));
}

const sum = (items: readonly SprintItem[]): number => items.reduce((total, { estimate }) => total + (estimate ?? 0), 0);

const sumPoints = (items: readonly SprintItem[]): { points: number; done: number } => ({
  points: sum(items),
  done: sum(items.filter(({ done }) => done === true)),
});

type Period = Pick<Sprint, "status" | "start_at" | "end_at">;

/** Items added after the start count from the day on which they were added. */
export function buildDays(
  { status, start_at, end_at }: Period,
  items: readonly SprintItem[],
  { zone, now }: Pick<Caller, "zone" | "now">,
): BurnDownDay[] {
  if (start_at === null || end_at === null || status === "registered") return [];
  const toDay = (moment: string) => Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDate();
  const [first, last] = [toDay(start_at), toDay(end_at)];
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const length = first.until(last).days;
  const planned = items.filter((item) => item.planned || Temporal.PlainDate.compare(toDay(item.added_at), first) <= 0);
  const total = sum(planned);
  return Array.from({ length: Math.min(length, maxDays) + 1 }, (_, index) => {
    const day = first.add({ days: index });
    const isBefore = (moment: string) => Temporal.PlainDate.compare(toDay(moment), day) <= 0;
    const added = items.filter((item) => !planned.includes(item) && isBefore(item.added_at));
    const burned = [...planned, ...added].filter(({ finished_at }) => finished_at !== null && isBefore(finished_at));
    const hasCome = Temporal.PlainDate.compare(day, today) <= 0;
    return {
      date: day.toString(),
      remaining: hasCome ? total + sum(added) - sum(burned) : null,
      ideal: Math.round((length === 0 ? 0 : total * (1 - index / length)) * 10) / 10,
    };
  });
}

/** A sprint is some weeks long; the dates are free. */
const maxDays = 120;
