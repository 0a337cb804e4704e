import { people } from "../people.ts";
import { Chance } from "../random.ts";
import { planBoard } from "./board.ts";
import { planGroups } from "./groups.ts";
import { planProblems } from "./problems.ts";
import { planProjects } from "./projects.ts";
import { Requests } from "./requests.ts";
import type { Timeline } from "./timeline.ts";
import { planTimesheets } from "./timesheets.ts";
import { Workflows } from "./workflows.ts";

/** Another seed is another company: requests, and who does what, would fall differently. */
const seed = 1921;

/** What the people of the company did during the last three months. */
export function planWork(time: Timeline): void {
  const requests = new Requests(time, new Chance(seed));
  requests.plan(1965);
  planGroups(time, requests);
  planBoard(time);
  planProblems(time, new Chance(seed + 1), requests.cases);
  const names = people.flatMap(({ rows }) => Object.keys(rows));
  const byId = new Map(names.map((name) => [time.id("person", name), name]));
  new Workflows(time, new Chance(seed + 2), requests.cases, byId).plan();
  planProjects(time, new Chance(seed + 3));
  planTimesheets(time, new Chance(seed + 4));
}
