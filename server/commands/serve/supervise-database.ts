import { setTimeout as pause } from "node:timers/promises";
import { OperatorError } from "../../base/errors.ts";
import { describeError, type Log } from "../../base/log.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../../embedded/cluster/index.ts";

export type SupervisedDatabase = {
  url: string;
  stop(): Promise<void>;
  /** rejects when the database ended and could not be restarted */
  lost: Promise<never>;
};

const restartLimit = { most: 5, within: 60_000 };
const maxStartAttempts = 5;

/**
 * Runs the embedded database and restarts it when it dies: a laptop has no supervisor for both processes. Connections
 * reopen by themselves; until then requests are answered with 503. When the database keeps dying, this process ends with
 * an error and leaves the restart to its own supervisor.
 */
export async function superviseDatabase(
  directory: string,
  log: Log,
  say: (line: string) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<SupervisedDatabase> {
  let report = say;
  let isStopping = false;
  let database = await startEmbeddedDatabase({ directory, log: (line) => report(line), settings });
  report = log.info;
  const { url } = database;
  const deathTimes: number[] = [];
  let restart: Promise<void> = Promise.resolve();

  const lost = new Promise<never>((_resolve, reject) => {
    const watch = (running: EmbeddedDatabase) =>
      void running.exited.then(() => {
        if (isStopping) return;
        deathTimes.push(Date.now());
        restart = restartDatabase(running).then(watch, reject);
      });
    watch(database);
  });
  lost.catch(() => {}); // prevents an unhandled rejection before anyone awaits it

  async function restartDatabase(dead: EmbeddedDatabase): Promise<EmbeddedDatabase> {
    if (deathTimes.filter((time) => time > Date.now() - restartLimit.within).length > restartLimit.most)
      throw new OperatorError(`The database in ${directory} keeps crashing. See ${directory}/log.`);
    log.error("the database stopped; restarting", { directory });
    await dead.stop(); // releases the folder
    database = await startAgain();
    if (database.url !== url) throw new OperatorError("The database restarted at another address. Restart Steward.");
    log.info("the database is running again", { directory });
    return database;
  }

  async function startAgain(): Promise<EmbeddedDatabase> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await startEmbeddedDatabase({ directory, log: log.info, settings });
      } catch (error) {
        if (attempt === maxStartAttempts || isStopping) throw error;
        log.error("the database failed to start", describeError(error));
        await pause(1000);
      }
    }
  }

  return {
    url,
    lost,
    async stop() {
      isStopping = true;
      await restart;
      await database.stop();
    },
  };
}
