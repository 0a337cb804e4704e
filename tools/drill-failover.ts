import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { readProcessorTime } from "../bench/processor-time.ts";
import { Noise } from "../tests/support/hostile/noise.ts";
import { FailoverRounds } from "../tests/support/processes/failover-rounds.ts";
import { bundleFolder, bundleServer } from "./bundle-server.ts";
import { Report } from "./survival/report.ts";

// npm run drill:failover -- --rounds 20: the primary of a synchronous pair dies under load and its standby takes over, on
// one machine, with the embedded PostgreSQL (docs/failover.md).

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "2" },
    rate: { type: "string", default: "200" },
    notice: { type: "string", default: "1000" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const noise = new Noise(seed);
const report = new Report(0);
report.say(`seed ${seed}`);
const drill = new FailoverRounds({
  program: await bundleServer(bundleFolder("steward-drill-server")),
  rounds: Number(values.rounds),
  writesPerSecond: Number(values.rate),
  writesPerRound: Number(values.rate) * 3,
  noticeAfter: Number(values.notice),
  isTimed: true,
  random: () => noise.next(),
  readProcessorTime,
  say: (line) => report.say(line),
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void drill.end().finally(() => process.exit(1)));
try {
  await drill.prepare();
  const { rounds, acknowledged, events, longestGap, mostRefusals, rate, processorTime } = await drill.run();
  const { server, clients, all } = processorTime;
  // On a busy machine, this shows whether the machine alone could have kept the rate.
  report.say(
    `processor time of a write with its message: ${all.toFixed(1)} ms, of it ${server.toFixed(1)} ms of the server and ${clients.toFixed(1)} ms of clients and receiver; ${Math.round((availableParallelism() * 1000) / all)} writes a second would need all ${availableParallelism()} cores`,
  );
  report.say(
    `${rounds} times kill -9 of the primary, ${acknowledged} acknowledged writes (${Math.round(rate)} a second before the kills), ${events} events: ` +
      `none lost, in order; writes again after ${longestGap.toFixed(1)} s at most, at most ${mostRefusals} refusals of a client in a round`,
  );
} catch (error) {
  report.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await drill.end();
}
process.exit(report.hasFailed ? 1 : 0);
