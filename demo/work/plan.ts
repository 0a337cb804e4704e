import { people } from "../data/people.ts";
import { SeededRandom } from "../loader/seeded-random.ts";
import { planAdministration } from "./administration.ts";
import { planBoard } from "./board.ts";
import { planCanteenProject } from "./canteen-project.ts";
import { planGroups } from "./groups.ts";
import { planProblems } from "./problems.ts";
import { planProjects } from "./projects.ts";
import { RequestPlanner } from "./requests.ts";
import type { Timeline } from "./timeline.ts";
import { planTimesheets } from "./timesheets.ts";
import { planToday } from "./today.ts";
import { WorkflowPlanner } from "./workflows.ts";

/** Another seed gives other requests, by other people. */
const seed = 1921;

/** Plans the work of the last three months. */
export function planWork(time: Timeline): void {
  const requests = new RequestPlanner(time, new SeededRandom(seed));
  requests.plan(1965);
  planGroups(time, requests);
  planBoard(time);
  planProblems(time, new SeededRandom(seed + 1), requests.planned);
  const names = people.flatMap(({ rows }) => Object.keys(rows));
  const byId = new Map(names.map((name) => [time.getId("person", name), name]));
  new WorkflowPlanner(time, new SeededRandom(seed + 2), requests.planned, byId).plan();
  planProjects(time, new SeededRandom(seed + 3));
  planCanteenProject(time);
  planTimesheets(time, new SeededRandom(seed + 4));
  planToday(time);
  planAdministration(time);
}
