import pg from "pg";
import { OperatorError } from "../../base/errors.ts";
import { buildUrl, chooseAddress, removeSocket } from "./address.ts";
import { locateBinaries } from "./binaries.ts";
import { chooseRunner, giveClusterTo } from "./choose-runner.ts";
import { checkCluster, clusterPath, createCluster, createFolders, databaseName, readPassword } from "./cluster.ts";
import { openFolder, removeLeftovers } from "./folder.ts";
import { lockFolder } from "./lock.ts";
import { keepLogsBounded } from "./log-files.ts";
import { clearOrphans } from "./orphans.ts";
import { launch } from "./server.ts";
import { serverArguments } from "./settings.ts";

export type EmbeddedDatabase = {
  url: string;
  socketDirectory?: string;
  pid: number;
  /** Settles when the server process has ended, for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  directory: string;
  log: (line: string) => void;
  settings?: Record<string, string>;
};

/** Starts the database of a data folder, and creates it first in a new folder. */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { directory, log, settings = {} } = options;
  const installed = await locateBinaries();
  const folder = await openFolder(directory);
  const lock = await lockFolder(folder); // nothing in the folder is touched before this
  try {
    const database = await start(folder, installed, log, settings);
    return { ...database, stop: once(() => database.stop().finally(() => lock.release())) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type Binaries = Awaited<ReturnType<typeof locateBinaries>>;
type Log = EmbeddedOptions["log"];

async function start(folder: string, installed: Binaries, log: Log, settings: Record<string, string>) {
  const exists = await checkCluster(folder, installed.major);
  await removeLeftovers(folder, "."); // half-written small files
  await clearOrphans(folder, clusterPath(folder), log);
  const runner = await chooseRunner(folder, installed, log);
  await createFolders(folder);
  await giveClusterTo(runner.identity, folder);
  if (!exists) {
    log(`Creating the database in ${folder} (first start only).`);
    await createCluster(folder, runner, settings.fsync !== "off");
  }
  const password = await readPassword(folder);
  const address = await chooseAddress(folder, runner.identity);
  const removeAddress = async () => {
    if (address.kind === "socket") await removeSocket(address.directory);
  };
  try {
    const server = await launch(folder, runner, serverArguments(folder, address, settings), log);
    try {
      await createDatabase(buildUrl(address, password), buildUrl(address, password, "postgres"));
    } catch (error) {
      await server.stop();
      throw error;
    }
    const endLogs = keepLogsBounded(`${folder}/log`);
    let asked = false;
    void server.exited.then(() => {
      endLogs();
      if (!asked) log(`The database process ${server.pid} ended unexpectedly; see ${folder}/log.`);
    });
    const stop = async () => {
      asked = true;
      await server.stop();
      await removeAddress();
    };
    const socketDirectory = address.kind === "socket" ? address.directory : undefined;
    return { url: buildUrl(address, password), socketDirectory, pid: server.pid, exited: server.exited, stop };
  } catch (error) {
    await removeAddress();
    throw error;
  }
}

async function createDatabase(url: string, maintenanceUrl: string): Promise<void> {
  try {
    await withConnection(url, async () => {});
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "28P01") throw new OperatorError("The password file doesn't match the database.", { cause: error });
    if (code !== "3D000") throw error;
    await withConnection(maintenanceUrl, (client) => client.query(`CREATE DATABASE ${databaseName}`));
  }
}

async function withConnection(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {}); // a connection that breaks also fails the statement on it
  try {
    await client.connect();
    await act(client);
  } finally {
    await client.end();
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let promise: Promise<void> | undefined;
  return () => (promise ??= act());
}
