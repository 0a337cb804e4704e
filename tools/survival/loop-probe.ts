// Loaded into the server by the survival tool, never in production: measures how long the event loop is blocked. A timer
// fires in every turn of the loop that takes longer than its interval; between two of them lies one turn. The processor
// time of the thread tells work of the server from a machine that had no time for it.

import { createServer } from "node:http";

const interval = 5;

let lastWall = performance.now();
let lastBusy = readBusy();
/** milliseconds */
let measured = { longestWall: 0, longestBusy: 0, over50: 0, over100: 0, turns: 0, moments: [] as Moment[] };

type Moment = { at: number; busy: number; wall: number };
export type LoopReport = typeof measured;

function readBusy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

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
    if (measured.moments.length < 50) measured.moments.push({ at: Date.now(), busy: tookBusy, wall: tookWall });
  }
}, interval).unref();

// A port of its own: the answer must not pass through what is measured.
createServer((_request, response) => {
  response.end(JSON.stringify(measured));
  measured = { longestWall: 0, longestBusy: 0, over50: 0, over100: 0, turns: 0, moments: [] };
})
  .listen(Number(process.env.SURVIVAL_PROBE_PORT), "127.0.0.1")
  .unref();
