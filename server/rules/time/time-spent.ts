import type { Change } from "../../engine/rules.ts";

// TS1 to TS4, for every type with `time_spent`.

/** Minutes given with a save become a time entry of the caller, today where the caller is. */
export async function addTimeEntry({ type, id, account, participant: side, after, by, create }: Change): Promise<void> {
  const minutes = Number(after.time_spent ?? 0);
  if (minutes <= 0) return;
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: by.zone, dateStyle: "short" }).format(by.now);
  const effort_class = after.time_spent_effort_class ?? null;
  const values = { [type]: id, date, time_spent: minutes, person: by.person, effort_class };
  await create("time_entry", values, { account: side ?? account });
}
