import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterRunningTime } from "../../base/running-time.ts";
import { isFull, isTransient } from "../database-errors.ts";
import { createSocket, type MessageReceiver, readRowsAtOnce } from "../message-reader.ts";
import { listServers, type ServerList } from "./server-list.ts";

// Opens connections to the current primary.

/** How long a server may take to respond before the others are asked, too. */
const headStart = 250;
/** How long opening a connection may take, where another server could be asked, and where there is one only. */
const openTimeouts = { ofSeveral: 3000, ofOne: 5000 };
/** A promotion takes seconds: a connection attempt meanwhile waits for the new server, and is refused only then. */
const searchTimeout = 5000;
const searchPause = 100;
/** How long a call waits for a free connection: as long as a change waits for one of its own process. */
const freeTimeout = 10_000;

/** A connection, and the address of its server. */
export type OpenClient = { client: pg.Client; url: string };

type ClientConfig = Omit<pg.ClientConfig, "connectionString"> & { pipeline?: boolean };

/** With several servers: looks for the one that takes changes, beginning with the one that was it last. */
export async function openClient(url: string, config: ClientConfig): Promise<OpenClient> {
  const servers = listServers(url);
  if (!servers.isChecked) return { client: await openOnce(url, config), url };
  for (const end = performance.now() + searchTimeout; ; await pause(searchPause))
    try {
      return await openFirst(servers, config);
    } catch (error) {
      if (performance.now() > end || !isTransient(error)) throw error;
    }
}

/** Waits while all connections that the server allows are in use: others close theirs when they end or are replaced. */
async function openOnce(url: string, config: ClientConfig): Promise<pg.Client> {
  for (const end = performance.now() + freeTimeout; ; await pause(searchPause)) {
    const client = createClient(url, config);
    const stop = limitOpening(client, openTimeouts.ofOne);
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.end().catch(() => {});
      if (!isFull(error) || performance.now() > end) throw error;
    } finally {
      stop();
    }
  }
}

/** The address of the one server that takes changes now, for programs that know one server only. */
export async function findWritableServer(url: string): Promise<string> {
  if (!listServers(url).isChecked) return url;
  const found = await openClient(url, { application_name: "steward" });
  await found.client.end().catch(() => {});
  return found.url;
}

function createClient(url: string, config: ClientConfig): pg.Client {
  const stream = ({ ssl }: { ssl?: unknown }) => (ssl ? new Socket() : createSocket());
  const client = new pg.Client({ ...config, connectionString: url, stream } as unknown as pg.ClientConfig);
  readRowsAtOnce((client as unknown as { connection: MessageReceiver }).connection);
  client.on("error", () => {}); // a connection that breaks also fails the statement on it
  return client;
}

/** The first server that accepts writes; the others are asked when the current one fails or does not respond. */
function openFirst(servers: ServerList, config: ClientConfig): Promise<OpenClient> {
  const { urls, current } = servers;
  const order = urls.map((_, index) => (current + index) % urls.length);
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    let asked = 0;
    let isFound = false;
    let timer: NodeJS.Timeout | undefined;
    const askNext = () => {
      clearTimeout(timer);
      const index = order[asked++];
      if (index === undefined || isFound) return;
      timer = setTimeout(askNext, headStart);
      const url = urls[index] as string;
      openWritable(url, config).then(
        (client) => {
          clearTimeout(timer);
          if (isFound) return void client.end().catch(() => {});
          isFound = true;
          servers.current = index;
          servers.isLost = false;
          resolve({ client, url });
        },
        (error) => {
          failures.push(error);
          if (failures.length === urls.length) {
            clearTimeout(timer);
            servers.isLost = true;
            reject(pickFailure(failures));
          } else askNext();
        },
      );
    };
    askNext();
  });
}

async function openWritable(url: string, config: ClientConfig): Promise<pg.Client> {
  const client = createClient(url, config);
  const stop = limitOpening(client, openTimeouts.ofSeveral);
  try {
    await client.connect();
    const { rows } = await client.query<{ refuses: boolean }>(
      "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS refuses",
    );
    if (rows[0]?.refuses !== false) throw Object.assign(new Error("the server is read-only"), { code: "25006" });
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  } finally {
    stop();
  }
}

/** A process that is busy itself must not take that for the silence of the server. */
const limitOpening = (client: pg.Client, milliseconds: number): (() => void) =>
  afterRunningTime(milliseconds, () => destroySocket(client, new Error("timeout expired")));

/** Closes a connection without waiting for the server: everything pending fails with the error. */
export function destroySocket(client: pg.Client, error: Error): void {
  (client as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection.stream.destroy(error);
}

/** A wrong password is more informative than an unavailable server, and a read-only server more than an unresponsive one. */
const pickFailure = (failures: readonly unknown[]): unknown =>
  failures.find((error) => !isTransient(error)) ??
  failures.find((error) => (error as { code?: string }).code === "25006") ??
  failures[0];
