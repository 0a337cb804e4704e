import assert from "node:assert/strict";
import { once } from "node:events";
import pg from "pg";
import { beforeAll, test } from "vitest";
import { register } from "../../../records/index.ts";
import { Database, statement } from "../../../server/database/database.ts";
import { deriveSchema } from "../../../server/engine/schema/derive-schema.ts";
import { requireNoOlderServers } from "../../../server/schema/compatible-programs.ts";
import { migrate, newestSchema, verifySchema } from "../../../server/schema/migrate.ts";
import { draftMigration } from "../../../server/schema/tables/draft-migration.ts";
import { buildNewerProgram } from "../../support/processes/newer-program.ts";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../../support/processes/server-processes.ts";
import { specimens } from "../../support/records/specimen.ts";
import { tokenFor } from "../../support/seed.ts";
import { until } from "../../support/waiting.ts";
import { type Client, createClient } from "../../support/world.ts";

// Two versions of the program run at the same time: the newer one migrates while the older one serves (D-670).

let the: ServerProcesses;

beforeAll(async () => {
  the = await serverProcesses({ DRAIN_SECONDS: "1" });
  // The newer program compares the schema with its migrations, which don't include the types of the tests.
  for (const text of draftMigration(deriveSchema([...register, ...specimens]), deriveSchema(register)))
    await the.sql.query(text.replace(/^(DROP TABLE .*);$/, "$1 CASCADE;"));
});

/** Checks every server's readiness, as a load balancer does, and sends calls to the ready ones. */
class Balancer {
  private readonly servers = new Map<ServerProcess, { client: Client; isReady: boolean; answers: number }>();
  private goesOn = true;
  readonly failed: string[] = [];
  readonly created: number[] = [];
  private readonly running: Promise<void>[];

  constructor() {
    this.running = [this.watch(), this.createAndChange(), this.createAndChange(), this.list()];
  }

  add(server: ServerProcess): void {
    const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" };
    this.servers.set(server, { client: createClient(server.base, headers), isReady: false, answers: 0 });
  }

  countAnswers(server: ServerProcess): number {
    return this.servers.get(server)?.answers ?? 0;
  }

  isReady(server: ServerProcess): boolean {
    return this.servers.get(server)?.isReady ?? false;
  }

  private async watch(): Promise<void> {
    while (this.goesOn) {
      for (const [server, state] of this.servers)
        state.isReady = await fetch(server.base.replace("/v1", "/health/ready")).then(
          ({ ok }) => ok,
          () => false,
        );
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  private async call<T>(act: (client: Client) => Promise<T & { status: number; text: string }>): Promise<T | null> {
    const ready = [...this.servers.values()].filter(({ isReady }) => isReady);
    const server = ready[Math.floor(Math.random() * ready.length)];
    if (server === undefined) {
      await new Promise((next) => setTimeout(next, 20));
      return null;
    }
    try {
      const answer = await act(server.client);
      if (answer.status >= 300) this.failed.push(`${answer.status} ${answer.text.slice(0, 200)}`);
      server.answers++;
      return answer;
    } catch (error) {
      this.failed.push(String((error as Error).cause ?? error));
      return null;
    }
  }

  private async createAndChange(): Promise<void> {
    while (this.goesOn) {
      const made = await this.call((client) => client.post("/requests", { subject: "Upgrade", category: "rfi" }));
      if (made?.status !== 201) continue;
      this.created.push(made.body.id);
      // Another version changes the request that this one created.
      await this.call((client) => client.patch(`/requests/${made.body.id}`, { subject: "Upgraded" }));
    }
  }

  private async list(): Promise<void> {
    while (this.goesOn) await this.call((client) => client.get("/requests?per_page=10&sort=-created_at"));
  }

  async stop(): Promise<void> {
    this.goesOn = false;
    await Promise.all(this.running);
  }
}

test("a newer program migrates and takes over under load, and no call fails", async () => {
  const { program, schema } = buildNewerProgram([
    "ALTER TABLE requests ADD COLUMN next_step text;\nALTER TABLE notes ADD COLUMN mood integer NOT NULL DEFAULT 0;\n",
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS requests_next_step ON requests (next_step);\n",
  ]);
  const url = the.env.DATABASE_URL as string;
  const older = await the.start();
  const balancer = new Balancer();
  balancer.add(older);
  await until(() => balancer.countAnswers(older) > 20);

  // A long-running read blocks the migration, which times out for the calls queued behind it and retries.
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query("BEGIN; SELECT FROM requests LIMIT 1");
  const starting = the.start({}, program);
  const isWaiting = async () =>
    (
      await the.sql.query(
        "SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'requests'::regclass",
      )
    ).rowCount === 1;
  await until(isWaiting, { every: 5 });
  await until(async () => !(await isWaiting()), { every: 5 });
  await reader.query("COMMIT");
  await reader.end();
  const newer = await starting;
  balancer.add(newer);
  const answered = balancer.countAnswers(older);
  await until(() => balancer.countAnswers(newer) > 40 && balancer.countAnswers(older) > answered + 40);
  assert.equal(balancer.isReady(older), true, "the older program is ready on the newer schema");

  const exit = once(older.child, "exit");
  older.child.kill("SIGTERM");
  await until(() => !balancer.isReady(older));
  assert.equal(older.child.exitCode, null, "it keeps serving until load balancers notice");
  assert.deepEqual(await exit, [0, null]);
  const before = balancer.countAnswers(newer);
  await until(() => balancer.countAnswers(newer) > before + 20);
  await balancer.stop();
  assert.deepEqual(balancer.failed, []);

  const { rows } = await the.sql.query(
    `SELECT (SELECT count(*)::integer FROM requests WHERE id = ANY($1) AND subject = 'Upgraded' AND next_step IS NULL) AS stored,
       (SELECT max(number) FROM schema_migrations) AS schema,
       (SELECT indisvalid FROM pg_index WHERE indexrelid = 'requests_next_step'::regclass) AS valid`,
    [balancer.created],
  );
  assert.deepEqual(rows[0], { stored: balancer.created.length, schema, valid: true });

  // This test process is the older program. It can start on the newer schema; breaking changes are refused while it runs.
  const lines: string[] = [];
  assert.equal(await migrate(url, { progress: (line) => lines.push(line) }), 0);
  assert.deepEqual(lines, [
    `The database has schema ${schema} of a newer program, which this program of schema ${newestSchema()} works with.`,
  ]);
  assert.deepEqual(await verifySchema(url), []);
  const client = await the.sql.connect();
  const contract = { number: schema + 1, name: "drop", oldestProgram: schema };
  await requireNoOlderServers(client, contract);
  await assert.rejects(
    requireNoOlderServers(client, { ...contract, oldestProgram: schema + 1 }),
    /Schema \d+ \(drop\) removes what programs before schema \d+ use, and 1 server process of such a program runs/,
  );
  client.release();
});

test("a statement is prepared again after a migration changed its columns, in and outside of transactions", async () => {
  await the.sql.query("CREATE TABLE growing (a integer); INSERT INTO growing VALUES (1)");
  const database = new Database(the.env.DATABASE_URL as string, { readers: 1, writers: 1 });
  const all = statement("SELECT * FROM growing");
  const read = () => database.read(all);
  const readInTransaction = () => database.transaction((tx) => tx.query(all));
  assert.deepEqual([await read(), await readInTransaction()], [[["1"]], [["1"]]]);
  await the.sql.query("ALTER TABLE growing ADD COLUMN b integer NOT NULL DEFAULT 2");
  assert.deepEqual([await read(), await readInTransaction()], [[["1", "2"]], [["1", "2"]]]);
  await database.close();
});
