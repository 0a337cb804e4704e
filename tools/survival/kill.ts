import { Noise } from "../../tests/support/hostile/noise.ts";
import { KillRounds } from "../../tests/support/processes/kill-rounds.ts";
import { bundleFolder, bundleServer } from "../bundle-server.ts";
import type { Report } from "./report.ts";

// kill -9 of the server, of its database, or of both, while clients write: nothing acknowledged is lost or reordered, and
// what is repeated with a key happens once.

const writesPerRound = 110;

/** `count`: how often. */
export async function runKill(count: number, seed: number, report: Report): Promise<void> {
  const noise = new Noise(seed);
  const options = {
    rounds: count,
    writesPerRound,
    random: () => noise.next(),
    say: (line: string) => report.say(line),
  };
  const run = new KillRounds({ program: await bundleServer(bundleFolder("steward-survival-server")), ...options });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void run.end().finally(() => process.exit(1)));
  try {
    await run.prepare();
    const { kills, writes, repetitions } = await run.run();
    report.say(
      `${kills} times kill -9, ${writes} acknowledged writes, ${repetitions} repeated with a key: none lost, none twice, in order; seed ${seed}`,
    );
    report.require(writes >= count * 100, `only ${writes} writes were acknowledged`);
  } catch (error) {
    report.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await run.end();
  }
}
