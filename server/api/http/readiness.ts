import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../base/log.ts";
import { type Database, statement } from "../../database/database.ts";
import { oldestProgramFact } from "../../schema/compatible-programs.ts";
import { newestSchema } from "../../schema/migration-files.ts";

// Whether this process can serve calls from a load balancer. Problems have no details, because the endpoint is public.

const probeStatement = statement(
  `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
     (SELECT value FROM instance_facts WHERE name = '${oldestProgramFact}')`,
);
/** A good answer is repeated for this long, so that probes cost nothing. */
const cacheMilliseconds = 1000;
const probeTimeout = 3000;

type ReadinessOptions = {
  database: Database;
  log: Log;
  dataDirectory: string;
  minFreeDisk: number;
  schemaDifferences: readonly string[];
  /** the server accepts requests and jobs are run */
  isWorking(): boolean;
};

export class Readiness {
  private readonly options: ReadinessOptions;
  private readonly schema = newestSchema();
  private probe: { at: number; problems: Promise<string[]> } | null = null;
  private lastProblems = "";

  constructor(options: ReadinessOptions) {
    this.options = options;
  }

  /** The reasons why the service is not ready; empty when it is. */
  async findProblems(): Promise<string[]> {
    if (!this.options.isWorking()) return ["the server is starting, stopping or does not run its jobs"];
    const now = performance.now();
    if (this.probe === null || now - this.probe.at > cacheMilliseconds) {
      const probe = { at: now, problems: this.runProbe() };
      this.probe = probe;
      // A recovery must show immediately.
      void probe.problems.then((problems) => {
        if (problems.length > 0 && this.probe === probe) this.probe = null;
      });
    }
    return this.probe.problems;
  }

  private async runProbe(): Promise<string[]> {
    const { schemaDifferences, log } = this.options;
    const problems = await Promise.all([this.findDiskProblem(), this.findDatabaseProblem()]);
    if (schemaDifferences.length > 0) problems.push("the schema of the database differs from its migrations");
    const found = problems.filter((problem) => problem !== null);
    const text = found.join("; ");
    if (text !== this.lastProblems) {
      if (text === "") log.info("ready again");
      else log.error("not ready", { problems: found });
      this.lastProblems = text;
    }
    return found;
  }

  private async findDiskProblem(): Promise<string | null> {
    const { dataDirectory, minFreeDisk } = this.options;
    try {
      return await checkFolder(dataDirectory, minFreeDisk).catch((error) => {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        return checkFolder(dirname(dataDirectory), minFreeDisk); // the folder is created with the first file
      });
    } catch {
      return "the data folder cannot be written";
    }
  }

  private findDatabaseProblem(): Promise<string | null> {
    const noAnswer = "the database does not answer";
    const probe = this.probeDatabase().catch(() => noAnswer);
    // The probe would wait for a promotion as long as a call does.
    if (this.options.database.isLost) return Promise.resolve(noAnswer);
    return Promise.race([probe, pause(probeTimeout, noAnswer, { ref: false })]);
  }

  private async probeDatabase(): Promise<string | null> {
    const { database } = this.options;
    const [row] = await database.read(probeStatement);
    if (row?.[0] === "t") {
      database.retireConnections(); // the next probe asks the server that is reached then
      return "the database is read-only";
    }
    // A newer program has removed what this one uses: others must get the calls.
    if (Number(row?.[1] ?? 0) > this.schema) return "the schema of the database needs a newer program";
    if (database.writeObstacle === null || (await database.probeWrite())) return null;
    return database.writeObstacle === "full" ? "the disk of the database is full" : "the database is read-only";
  }
}

async function checkFolder(folder: string, minFree: number): Promise<string | null> {
  await access(folder, constants.W_OK | constants.X_OK);
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < minFree ? "the disk of the data folder is almost full" : null;
}
