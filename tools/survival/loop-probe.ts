// Loaded into the server by the survival tool, never in production: measures how long the event loop is blocked. A timer
// fires in every turn of the loop that takes longer than its interval, so there is one turn between two of them. The thread's processor
// time distinguishes work of the server from delays of a busy machine.

import { createServer } from "node:http";
import { PerformanceObserver } from "node:perf_hooks";

const interval = 5;

let lastWall = performance.now();
let lastBusy = readBusy();
/** milliseconds */
let measured = { longestWall: 0, longestBusy: 0, over50: 0, over100: 0, turns: 0, moments: [] as Moment[] };

/** `collecting`: how much of it the collection of garbage took */
type Moment = { at: number; busy: number; wall: number; collecting: number };
export type LoopReport = typeof measured;

function readBusy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The observer is notified of a collection after the turn in which it happened. */
const collections: { from: number; took: number }[] = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) collections.push({ from: startTime, took: duration });
  collections.splice(0, collections.length - 200);
}).observe({ entryTypes: ["gc"] });

const sumCollections = (from: number, to: number): number =>
  collections.filter((each) => each.from >= from && each.from < to).reduce((sum, { took }) => sum + took, 0);

setInterval(() => {
  const [wall, busy] = [performance.now(), readBusy()];
  const [tookWall, tookBusy] = [wall - lastWall - interval, busy - lastBusy];
  [lastWall, lastBusy] = [wall, busy];
  measured.turns++;
  measured.longestWall = Math.max(measured.longestWall, tookWall);
  measured.longestBusy = Math.max(measured.longestBusy, tookBusy);
  if (tookBusy > 50) {
    measured.over50++;
    if (tookBusy > 100) measured.over100++;
    const moment = { at: Date.now(), busy: tookBusy, wall: tookWall, collecting: 0 };
    if (measured.moments.length < 50) measured.moments.push(moment);
    setTimeout(() => {
      moment.collecting = sumCollections(wall - tookWall - interval, wall);
    }, 100);
  }
}, interval).unref();

// A port of its own: the answer must not pass through what is measured.
createServer((_request, response) => {
  response.end(JSON.stringify(measured));
  measured = { longestWall: 0, longestBusy: 0, over50: 0, over100: 0, turns: 0, moments: [] };
})
  .listen(Number(process.env.SURVIVAL_PROBE_PORT), "127.0.0.1")
  .unref();
