import { setTimeout as pause } from "node:timers/promises";
import { OperatorError } from "../../base/errors.ts";
import { describeError, type Log } from "../../base/log.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../../storage/embedded/index.ts";

export type SupervisedDatabase = {
  url: string;
  stop(): Promise<void>;
  /** fails when the database ended and could not be brought back */
  lost: Promise<never>;
};

const restartLimit = { most: 5, within: 60_000 };
const maxStartAttempts = 5;

/**
 * Runs the database of a data folder, and starts it again should it die: a laptop has no supervisor that would start
 * us both, connections open again by themselves, and until then requests are answered with 503. A database that keeps
 * dying is another matter: then we end with an error, and leave it to whoever watches us.
 */
export async function superviseDatabase(
  directory: string,
  log: Log,
  say: (line: string) => void,
): Promise<SupervisedDatabase> {
  let tell = say;
  let stopping = false;
  let database = await startEmbeddedDatabase({ directory, log: (line) => tell(line) });
  tell = log.info;
  const { url } = database;
  const died: number[] = [];
  let restart: Promise<void> = Promise.resolve();

  const lost = new Promise<never>((_resolve, reject) => {
    const watch = (running: EmbeddedDatabase) =>
      void running.exited.then(() => {
        if (stopping) return;
        died.push(Date.now());
        restart = bringBack(running).then(watch, reject);
      });
    watch(database);
  });
  lost.catch(() => {}); // nobody may be listening yet

  async function bringBack(dead: EmbeddedDatabase): Promise<EmbeddedDatabase> {
    if (died.filter((time) => time > Date.now() - restartLimit.within).length > restartLimit.most)
      throw new OperatorError(`The database in ${directory} keeps ending: look into ${directory}/log.`);
    log.error("the database ended and is started again", { directory });
    await dead.stop(); // lets go of the folder
    database = await startAgain();
    if (database.url !== url)
      throw new OperatorError("The database came back under another address: start Steward again.");
    log.info("the database is back", { directory });
    return database;
  }

  async function startAgain(): Promise<EmbeddedDatabase> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await startEmbeddedDatabase({ directory, log: log.info });
      } catch (error) {
        if (attempt === maxStartAttempts || stopping) throw error;
        log.error("the database did not start", describeError(error));
        await pause(1000);
      }
    }
  }

  return {
    url,
    lost,
    async stop() {
      stopping = true;
      await restart;
      await database.stop();
    },
  };
}
