import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { runExhaust } from "./exhaust.ts";
import { runFlood } from "./flood.ts";
import { runFuzz } from "./fuzz.ts";
import { runIsolation } from "./isolation.ts";
import { runKill } from "./kill.ts";
import { runMail } from "./mail.ts";
import { type ProcessesOptions, runProcesses } from "./processes.ts";
import { runReplicas } from "./replicas.ts";
import { Report } from "./report.ts";

// npm run survive -- --what fuzz --count 300000 --seed 1: the long runs behind docs/reliability.md. The test suite runs the
// same generators for a few seconds.

const runs: Record<string, { count: number; run: (count: number, seed: number, report: Report) => Promise<void> }> = {
  fuzz: { count: 300_000, run: runFuzz },
  isolation: { count: 50_000, run: runIsolation },
  kill: { count: 100, run: runKill },
  // the count is the seconds of each flood
  flood: { count: 2, run: runFlood },
  // the count is the seconds of each attack
  exhaust: { count: 6, run: runExhaust },
  // the number of concurrent large emails
  mail: { count: 4, run: runMail },
  // pairs of a write and a read
  replicas: { count: 100_000, run: runReplicas },
};

const { values } = parseArgs({
  options: {
    what: { type: "string" },
    count: { type: "string" },
    seed: { type: "string" },
    minutes: { type: "string" },
    processes: { type: "string" },
    events: { type: "string" },
  },
});
const processes: ProcessesOptions = {
  processes: Number(values.processes ?? 4),
  minutes: Number(values.minutes ?? 10),
  events: Number(values.events ?? 10_000),
};
const isOfProcesses = values.what === "processes" || (values.what === undefined && values.processes !== undefined);
const chosen = isOfProcesses
  ? { count: 0, run: (_count: number, seed: number, report: Report) => runProcesses(processes, seed, report) }
  : runs[values.what ?? ""];
if (chosen === undefined) {
  console.error(
    `usage: npm run survive -- --what ${Object.keys(runs).join("|")} [--count N] [--seed N] [--minutes N]
       npm run survive -- --processes 4 [--minutes 10] [--events 10000] [--seed N]`,
  );
  process.exit(2);
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const report = new Report(Number(values.minutes ?? 0));
report.say(
  `seed ${seed}, load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(" ")}`,
);
await chosen.run(Number(values.count ?? chosen.count), seed, report);
report.say(report.hasFailed ? "failed" : "passed");
process.exit(report.hasFailed ? 1 : 0);
