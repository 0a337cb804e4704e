import { copyFile, cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { clusterPath, databaseName } from "../../../server/embedded/cluster/cluster.ts";
import { openFolder } from "../../../server/embedded/cluster/folder.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../../../server/embedded/cluster/index.ts";
import { serverProcesses } from "../../../server/embedded/cluster/postmaster.ts";
import { until } from "../waiting.ts";

// Two real PostgreSQL servers, one streaming from the other, using only the embedded binaries: a base backup is a copy of
// the files between pg_backup_start and pg_backup_stop.

// biome-ignore format: a table keeps its columns
const settings: Record<string, string> = {
  wal_level:        "replica",
  max_wal_senders:  "5",
  wal_keep_size:    "256MB",  // the primary keeps writing while the standby is copied
  hot_standby:      "on",
  max_connections:  "80",
  wal_receiver_status_interval: "1s",
};

/** Files of the running server, and files that the next start creates again. */
const notCopied = new Set([
  "postmaster.pid",
  "postmaster.opts",
  "postgresql.auto.conf",
  "backup_label",
  "pg_internal.init",
]);
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);

type StandbyOptions = {
  /** whether commits wait for the standby */
  isSynchronous?: boolean;
  /** milliseconds from a commit until the standby shows it */
  applyDelay?: number;
};

type Node = { directory: string; database: EmbeddedDatabase | null };

export class DatabasePair {
  private readonly nodes: [Node, Node];
  private primaryIndex = 0;

  constructor(directory: string) {
    this.nodes = [
      { directory: join(directory, "one"), database: null },
      { directory: join(directory, "two"), database: null },
    ];
  }

  private get primary(): Node {
    return this.nodes[this.primaryIndex] as Node;
  }

  private get standby(): Node {
    return this.nodes[1 - this.primaryIndex] as Node;
  }

  get primaryUrl(): string {
    return findUrl(this.primary);
  }

  get standbyUrl(): string {
    return findUrl(this.standby);
  }

  /** Both servers' addresses in libpq's format. */
  get url(): string {
    const addresses = this.nodes.map((node) => new URL(findUrl(node).replace("@/", "@localhost/")));
    const [first] = addresses as [URL, URL];
    const join = (name: string) => addresses.map((each) => each.searchParams.get(name)).join(",");
    const hosts = `host=${encodeURIComponent(join("host"))}&port=${join("port")}&sslmode=disable`;
    return `postgres://${first.username}:${first.password}@/${databaseName}?${hosts}&target_session_attrs=read-write`;
  }

  /** Starts the first server and a standby, which is synchronous by default. */
  async start(options: StandbyOptions = {}): Promise<void> {
    this.primary.database = await startNode(this.primary);
    await this.addStandby(options);
  }

  /** Makes the other server a standby of the primary, from a new copy. Commits wait for it by default. */
  async addStandby({ isSynchronous = true, applyDelay = 0 }: StandbyOptions = {}): Promise<void> {
    const { primary, standby } = this;
    await copyCluster(primary, standby);
    const { searchParams, username, password } = new URL(findUrl(primary).replace("@/", "@localhost/"));
    const source = `host=${searchParams.get("host")} port=${searchParams.get("port")} user=${username} password=${decodeURIComponent(password)} application_name=standby`;
    await writeFile(
      join(clusterPath(standby.directory), "postgresql.auto.conf"),
      `primary_conninfo = '${source}'\nrecovery_min_apply_delay = ${applyDelay}\n`,
      {
        mode: 0o600,
      },
    );
    await writeFile(join(clusterPath(standby.directory), "standby.signal"), "", { mode: 0o600 });
    standby.database = await startNode(standby);
    if (isSynchronous) await this.requireStandby();
    await withClient(this.primaryUrl, async (client) => {
      const selectStandby = "SELECT 1 FROM pg_stat_replication WHERE sync_state = $1 AND state = 'streaming'";
      const isInSync = async () =>
        (await client.query(selectStandby, [isSynchronous ? "sync" : "async"])).rows.length === 1;
      await until(isInSync, { what: () => "the standby streams", every: 50 });
    });
  }

  /** Every commit waits for a standby from now on, whether or not one exists. */
  async requireStandby(): Promise<void> {
    await withClient(this.primaryUrl, async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await client.query("SELECT pg_reload_conf()");
    });
  }

  /** The setting reaches the primary's processes one by one, so this waits until a commit blocks on the missing standby. */
  async awaitWaitingCommit(): Promise<void> {
    await withClient(this.primaryUrl, (admin) =>
      withClient(this.primaryUrl, async (client) => {
        const [{ pid }] = (await client.query("SELECT pg_backend_pid() AS pid")).rows;
        await until(async () => {
          let isCommitted = false;
          let isWaiting = false;
          const commit = client.query("SELECT pg_logical_emit_message(true, 'probe', '')").then(() => {
            isCommitted = true;
          });
          await until(async () => {
            const waits = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'";
            isWaiting = (await admin.query(waits, [pid])).rows.length === 1;
            return isWaiting || isCommitted;
          });
          if (isWaiting) await admin.query("SELECT pg_cancel_backend($1)", [pid]);
          await commit;
          return isWaiting;
        });
      }),
    );
  }

  /** kill -9 of the primary with all its processes. */
  async killPrimary(): Promise<void> {
    await killNode(this.primary);
  }

  /** Sends a signal to all processes of the standby. */
  async signalStandby(signal: NodeJS.Signals): Promise<void> {
    await signalNode(this.standby, signal);
  }

  /** Promotes the standby. It waits for no other standby until one exists. */
  async promote(): Promise<void> {
    await withClient(this.standbyUrl, (client) => client.query("SELECT pg_promote(true, 60)"));
    this.primaryIndex = 1 - this.primaryIndex;
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) if (node.database !== null) await killNode(node);
  }
}

function findUrl({ directory, database }: Node): string {
  if (database === null) throw new Error(`the server of ${directory} was never started`);
  return database.url;
}

const startNode = ({ directory }: Node): Promise<EmbeddedDatabase> =>
  startEmbeddedDatabase({ directory, log: () => {}, settings });

async function signalNode({ directory }: Node, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await serverProcesses(clusterPath(await openFolder(directory))))
    try {
      process.kill(pid, signal);
    } catch {} // it exited by itself when its postmaster died
}

async function killNode(node: Node): Promise<void> {
  const { database } = node;
  await signalNode(node, "SIGKILL");
  await database?.exited;
  await database?.stop();
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyCluster(from: Node, to: Node): Promise<void> {
  await openFolder(to.directory);
  const target = clusterPath(to.directory);
  await rm(target, { recursive: true, force: true });
  await cp(join(from.directory, "password"), join(to.directory, "password"));
  await withClient(findUrl(from), async (client) => {
    await client.query("SELECT pg_backup_start('copy', fast => true)");
    await copyTree(clusterPath(from.directory), target);
    const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)");
    await writeFile(join(target, "backup_label"), rows[0].labelfile, { mode: 0o600 });
  });
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (notCopied.has(entry.name) || entry.name.startsWith("pgsql_tmp")) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!entry.isDirectory()) await copyFile(source, target).catch(ignoreMissing);
    else if (emptied.has(entry.name)) await mkdir(target, { mode: 0o700 });
    else await copyTree(source, target);
  }
}

/** The server may remove files during the copy. Its WAL records that as well, and the standby replays it. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
