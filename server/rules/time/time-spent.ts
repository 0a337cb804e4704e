import type { problem } from "../../../records/work/problem.ts";
import type { projectTask } from "../../../records/work/project-task.ts";
import type { request } from "../../../records/work/request.ts";
import type { task } from "../../../records/work/task.ts";
import type { Change } from "../../engine/rules.ts";

// TS1 to TS4, for every type with `time_spent`.

type TimedChange = Change<typeof request | typeof problem | typeof task | typeof projectTask>;

/** Minutes given with a save become a time entry of the caller; its date is today in the time zone of the caller. */
export async function addTimeEntry(change: TimedChange): Promise<void> {
  const { type, id, account, participant, after, by, create } = change;
  const minutes = after.time_spent ?? 0;
  if (minutes <= 0) return;
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: by.zone, dateStyle: "short" }).format(by.now);
  const effort_class = after.time_spent_effort_class ?? null;
  const values = { [type]: id, date, time_spent: minutes, person: by.person, effort_class };
  await create("time_entry", values, { account: participant ?? account });
}
