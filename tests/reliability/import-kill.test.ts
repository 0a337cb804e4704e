import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import { atScale } from "../support/scale.ts";
import { tokenFor } from "../support/seed.ts";

// An import resumes where it stopped: killed repeatedly, it ends like an undisturbed one. Real servers in separate processes,
// on one database per run.

const kills = atScale(3, 10);
const rows = atScale(1000, 4000);
const perFile = atScale(150, 400);
const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it", "User-Agent": "test" };

/** People who refer to each other, also to later rows, some of them duplicate or invalid. */
const file = () =>
  [
    "Primary Email,Name,Source,Source ID,Manager,Job Title,VIP",
    ...Array.from({ length: rows }, (_, n) => {
      const who = n % 41 === 40 ? n - 7 : n; // the row is refused, because its key is used
      const email = n % 29 === 28 ? "nonsense" : `k${who}@widget.example`;
      const manager =
        n % 31 === 30 ? `k${n - 3}@widget.example` : n % 17 === 16 ? `k${n + 60}@widget.example` : "sam@widget.example";
      return `${email},Person ${who},HR,K${who},${manager},Title ${n},${n % 2}`;
    }),
  ].join("\n");

async function startImport({ base }: ServerProcess, type = "people", text = file()): Promise<string> {
  const form = new FormData();
  form.set("type", type);
  form.set("file", new Blob([text]), `${type}.csv`);
  const answer = await fetch(`${base}/import`, { method: "POST", headers, body: form });
  return ((await answer.json()) as { token: string }).token;
}

const countRows = async ({ sql }: ServerProcesses): Promise<number> =>
  (await sql.query<{ rows: number }>("SELECT rows FROM imports")).rows[0]?.rows ?? 0;

async function waitForEnd({ base }: ServerProcess, token: string) {
  for (;;) {
    const state = (await (await fetch(`${base}/import/${token}`, { headers })).json()) as Record<string, string>;
    if (state.state !== "queued" && state.state !== "processing")
      return { ...state, log: await (await fetch(state.logfile as string)).text(), logfile: null };
    await pause(50);
  }
}

/** The results of the import, without the ids and times that differ between runs. */
async function loadResults({ sql }: ServerProcesses) {
  const people = await sql.query(
    `SELECT p.primary_email, p.name, p."sourceID", m.primary_email AS manager, p.job_title, p.vip,
  (SELECT json_agg(json_build_array(l.action, l.changes - 'manager') ORDER BY l.id) FROM audit_lines l WHERE l.record_id = p.id AND l.audited = 'person') AS lines,
  (SELECT json_agg(e.event ORDER BY e.id) FROM events e WHERE e.record_id = p.id AND e.record_type = 'person') AS events
FROM people p LEFT JOIN people m ON m.id = p.manager_id WHERE p.source = 'HR' ORDER BY p.primary_email`,
  );
  const mails = await sql.query("SELECT count(*) FROM mails WHERE subject LIKE 'Your import of people%'");
  const rest = await sql.query("SELECT line, state, message FROM import_rows ORDER BY line");
  return { people: people.rows, mails: mails.rows, lines: rest.rows };
}

test(`IE13: an import that is killed ${kills} times ends like an undisturbed one`, async () => {
  const calm = await serverProcesses();
  const alone = await calm.start();
  const expected = await waitForEnd(alone, await startImport(alone));
  await alone.kill();

  const wild = await serverProcesses();
  let server = await wild.start();
  const token = await startImport(server);
  const places: number[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    while ((await countRows(wild)) < (kill * rows) / (kills + 3)) await pause(5);
    await pause((kill * 37) % 101); // at some point within a batch
    await server.kill();
    places.push(await countRows(wild));
    await wild.sql.query("UPDATE jobs SET leased_until = NULL WHERE kind = 'import'"); // as if the lease had expired
    server = await wild.start();
  }
  const found = await waitForEnd(server, token);
  assert.ok((places.at(-1) as number) < rows, `killed at ${places}`);
  assert.deepEqual(found, expected);
  assert.deepEqual(await loadResults(wild), await loadResults(calm));
  assert.ok((await loadResults(wild)).people.length > rows / 2);

  // IE22: its undo is killed as well and leaves no imported row.
  const countUndone = async () =>
    (await wild.sql.query<{ undone: number }>("SELECT undone FROM imports")).rows[0]?.undone ?? 0;
  const response = await fetch(`${server.base}/import/${token}/undo`, { method: "POST", headers });
  assert.equal(response.status, 202);
  while ((await countUndone()) === 0) await pause(5);
  await pause(37);
  await server.kill();
  assert.ok((await countUndone()) < rows * 0.9, `${await countUndone()} were undone before`);
  await wild.sql.query("UPDATE jobs SET leased_until = NULL WHERE kind = 'undo import'");
  server = await wild.start();
  type Undo = { undo: { state: string; kept: number } };
  const summarize = async () =>
    (await (await fetch(`${server.base}/import/${token}/summary`, { headers })).json()) as Undo;
  while ((await summarize()).undo.state !== "done") await pause(50);
  assert.equal((await summarize()).undo.kept, 0);
  assert.deepEqual((await wild.sql.query("SELECT 1 FROM people WHERE source = 'HR'")).rows, []);
});

test("an account's imports take turns on two servers, wherever they were started", async () => {
  const pair = await serverProcesses();
  const [one, two] = [await pair.start(), await pair.start()];
  const names = (n: number) => Array.from({ length: perFile }, (_, row) => `Site ${n} ${row}`);
  const imports: [ServerProcess, string][] = [];
  for (let n = 0; n < 6; n++) {
    const at = n % 2 === 0 ? one : two;
    imports.push([at === one ? two : one, await startImport(at, "sites", `Name\n${names(n).join("\n")}\n`)]);
  }
  const turns: number[] = [];
  const watching = { isOver: false };
  const watch = (async () => {
    for (; !watching.isOver; await pause(5))
      turns.push((await pair.sql.query("SELECT 1 FROM imports WHERE state = 'processing'")).rowCount ?? 0);
  })();
  const states = await Promise.all(imports.map(([at, token]) => waitForEnd(at, token)));
  watching.isOver = true;
  await watch;
  assert.ok(Math.max(...turns) === 1, `${Math.max(...turns)} in parallel`);
  for (const state of states) assert.equal((state as { results?: { created: number } }).results?.created, perFile);
  const sites = await pair.sql.query<{ name: string }>("SELECT name FROM sites WHERE name LIKE 'Site %' ORDER BY id");
  assert.deepEqual(
    sites.rows.map(({ name }) => name),
    [0, 1, 2, 3, 4, 5].flatMap(names),
  );
});
