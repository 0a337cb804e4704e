import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCleanups } from "../../tests/support/cleanup.ts";
import { Noise } from "../../tests/support/hostile/noise.ts";
import { startObjectStorage } from "../../tests/support/object-storage/object-storage.ts";
import { formatCounts } from "../../tests/support/processes/drill-counts.ts";
import { ProcessDrill } from "../../tests/support/processes/failure-drill.ts";
import { startServerProcess } from "../../tests/support/processes/server-process.ts";
import { bundleFolder, bundleServer } from "../bundle-server.ts";
import type { Report } from "./report.ts";
import { prepareStage } from "./stage.ts";

// Several processes with addresses and data folders of their own, which share a database and a bucket. One after another is
// killed at random, and nothing is lost and nothing happens twice.

export type ProcessesOptions = { processes: number; minutes: number; events: number };

export async function runProcesses(options: ProcessesOptions, seed: number, report: Report): Promise<void> {
  const { processes, minutes, events } = options;
  const noise = new Noise(seed);
  const program = await bundleServer(bundleFolder("steward-survival-server"));
  const folder = mkdtempSync(join(tmpdir(), "steward-machines-"));
  const stage = await prepareStage({ max_connections: String(20 + 30 * processes) });
  const storage = await startObjectStorage();
  const start = (number: number) => {
    const data = join(folder, `machine-${number}`);
    mkdirSync(data, { recursive: true });
    return startServerProcess([process.execPath, program, "serve"], {
      ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATABASE_URL: stage.databaseUrl, ...storage.env },
      ...{ HOST: `127.0.0.${number + 2}`, PORT: "0", DATA_DIR: data, ENVIRONMENT: "production" },
      ...{ RATE_LIMIT: "0", RATE_BURST: "0", WEBHOOK_ALLOW: "127.0.0.0/8" },
    });
  };
  const drill = new ProcessDrill({
    ...{ processes, events, start, clients: 8, importRows: 400, milliseconds: minutes * 60_000, betweenKills: 4000 },
    query: async <T extends object>(text: string, values?: unknown[]) =>
      (await stage.sql.query(text, values)).rows as T[],
    random: () => noise.next(),
    say: (line) => report.say(line),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void drill.end());
  try {
    await drill.prepare();
    const { kills, counts } = await drill.run();
    report.say(`${processes} processes, ${kills} times kill -9`);
    for (const line of formatCounts(counts)) report.say(line);
    for (const { what, made, lost, twice, disordered } of counts) {
      report.require(made > 0, `no ${what}`);
      report.require(lost + twice + disordered === 0, what);
    }
  } catch (error) {
    report.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await drill.end();
    await stage.end();
    await runCleanups();
    rmSync(folder, { recursive: true, force: true });
  }
}
