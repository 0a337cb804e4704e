import { Chance } from "../random.ts";
import { Requests } from "./requests.ts";
import type { Timeline } from "./timeline.ts";

/** What the people of the company did during the last three months. */
export function planWork(time: Timeline): void {
  const requests = new Requests(time, new Chance(7310026));
  requests.plan(1950);
}
