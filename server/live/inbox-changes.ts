import { statement } from "../database/database.ts";
import type { Engine } from "../engine/engine.ts";
import { overlayTable } from "../schema/tables/table-names.ts";
import type { LoggedChange } from "./change-log.ts";

// The people whose inbox a change concerns: the old and new people and teams of a record, and its watchers.

export type Concerned = { people: Set<number>; teams: Set<number> };

const workTypes = ["request", "task", "problem", "project_task"];
/** records whose own people are in the change */
const relationTypes = ["task_approval", "project_task_assignment", "watch"];

const selectPeople: Record<string, string> = {
  request: "SELECT person_id, NULL::integer FROM watches WHERE request_id = ANY($1::integer[])",
  task: "SELECT approver_id, NULL::integer FROM task_approvals WHERE task_id = ANY($1::integer[])",
  project_task:
    "SELECT assignee_id, NULL::integer FROM project_task_assignments WHERE project_task_id = ANY($1::integer[])",
};

export async function loadConcerned(engine: Engine, changes: readonly LoggedChange[]): Promise<Concerned> {
  const concerned: Concerned = { people: new Set(), teams: new Set() };
  const relevant = changes.filter(({ type }) => workTypes.includes(type) || relationTypes.includes(type));
  for (const { people, teams } of relevant) {
    for (const person of people) concerned.people.add(person);
    for (const team of teams) concerned.teams.add(team);
  }
  await Promise.all(
    workTypes.map(async (name) => {
      const ids = [...new Set(relevant.filter(({ type }) => type === name).map(({ id }) => id))];
      if (ids.length === 0) return;
      for (const [person, team] of await engine.database.read(statement(buildSelect(engine, name)), [ids])) {
        if (person != null) concerned.people.add(Number(person));
        if (team != null) concerned.teams.add(Number(team));
      }
    }),
  );
  return concerned;
}

function buildSelect(engine: Engine, name: string): string {
  const type = engine.types.get(name);
  const member = type.columns.get("member") ?? "NULL::integer";
  const parts = [`SELECT ${member}, team_id FROM ${type.table} WHERE id = ANY($1::integer[])`];
  if (type.sharing.perAccount.includes("member"))
    parts.push(`SELECT ${member}, team_id FROM ${overlayTable(type)} WHERE ${name}_id = ANY($1::integer[])`);
  const people = selectPeople[name];
  return [...parts, ...(people === undefined ? [] : [people])].join(" UNION ALL ");
}
