import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { createJsonLog } from "../../server/base/log.ts";
import { Database } from "../../server/database/database.ts";
import { addJob, deleteJob, type Job } from "../../server/queue/jobs.ts";
import { type JobHandler, Worker } from "../../server/queue/worker.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

// The queue: jobs are added in the transaction of the change that needs them, and outlive the process that runs them.

let the: World;
let database: Database;
const log: string[] = [];
beforeAll(async () => {
  the = await world();
  await the.service.worker.stop(); // only the workers of this file run jobs
  database = new Database(the.databaseUrl);
});
afterAll(() => database.close());
beforeEach(async () => {
  log.length = 0;
  await the.sql("DELETE FROM jobs");
});

const job = (more: Partial<Job> = {}): Job => ({
  kind: "do",
  account: null,
  payload: {},
  runAt: the.clock.now(),
  ...more,
});
const add = (...jobs: Job[]) =>
  database.transaction(async (tx) => {
    for (const one of jobs) addJob(tx, one);
  });
const worker = (handlers: Record<string, (payload: never) => unknown>, oneAtATime: readonly string[] = []) =>
  new Worker(
    database,
    the.clock,
    createJsonLog((line) => log.push(line)),
    handlers as Record<string, JobHandler>,
    { oneAtATime },
  );
type Row = { id: number; kind: string; key: string; attempts: number; run_at: Date; last_error: string; fence: number };
const loadJobs = () => the.sql<Row>("SELECT * FROM jobs ORDER BY id");
const expireLeases = () => the.sql("UPDATE jobs SET leased_until = clock_timestamp() - interval '1 second'");
/** A promise that the test resolves (`open`), and a promise that resolves when a caller waits for it (`entered`). */
function createGate() {
  let open = () => {};
  let enter = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const pass = () => {
    enter();
    return opened;
  };
  return { open, entered, pass };
}

test("a job runs with its payload when it is due, and is then deleted", async () => {
  const payloads: unknown[] = [];
  const one = worker({ do: (payload) => payloads.push(payload) });
  await add(job({ payload: { n: 1 } }), job({ payload: { n: 2 }, runAt: new Date(the.clock.now().getTime() + 1) }));
  assert.equal(await one.runDue(), 1);
  assert.deepEqual(payloads, [{ n: 1 }]);
  await the.clock.pass(1);
  assert.equal(await one.runDue(), 1);
  assert.deepEqual(payloads, [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(await loadJobs(), []);
});

test("a job added in a transaction that is rolled back never runs", async () => {
  const failure = database.transaction(async (tx) => {
    addJob(tx, job());
    await tx.query({ text: "SELECT 1", name: "" });
    throw new Error("changed my mind");
  });
  await assert.rejects(failure, /changed my mind/);
  assert.deepEqual(await loadJobs(), []);
  assert.equal(await worker({ do: () => assert.fail("it ran") }).runDue(), 0);
});

test("a statement sent after the end of its transaction is refused and runs in no other transaction", async () => {
  const one = { text: "SELECT 1", name: "" };
  for (const ends of [() => {}, () => assert.fail("it ends badly")]) {
    let late: Promise<unknown> = Promise.resolve();
    const gate = Promise.withResolvers<void>();
    const ended = database.transaction(async (tx) => {
      late = gate.promise.then(() => tx.query(one));
      late.catch(() => {});
      await tx.query(one);
      ends();
    });
    await ended.catch(() => {});
    gate.resolve();
    await assert.rejects(late, /the transaction has ended/);
  }
});

test("a job waits for a worker that handles its kind", async () => {
  await add(job({ kind: "other" }));
  assert.equal(await worker({ do: () => {} }).runDue(), 0);
  assert.equal((await loadJobs()).length, 1);
});

test("a job with a key is rescheduled when it is added again, and can be dropped", async () => {
  const later = new Date(the.clock.now().getTime() + 60_000);
  await add(job({ key: "a", payload: { n: 1 } }), job({ key: "b" }), job({ kind: "other", key: "a" }));
  await add(job({ key: "a", payload: { n: 2 }, runAt: later }));
  assert.equal((await loadJobs()).length, 3);
  const payloads: unknown[] = [];
  const one = worker({ do: (payload) => payloads.push(payload) });
  await one.runDue();
  assert.deepEqual(payloads, [{}]);
  await the.clock.moveTo(later.toISOString());
  await one.runDue();
  assert.deepEqual(payloads, [{}, { n: 2 }]);
  await database.transaction(async (tx) => deleteJob(tx, "other", "a"));
  assert.deepEqual(await loadJobs(), []);
});

test("a job that is rescheduled while it runs runs again at its new time", async () => {
  const { open, entered, pass } = createGate();
  const payloads: unknown[] = [];
  const one = worker({
    do: async (payload) => {
      payloads.push(payload);
      await pass();
    },
  });
  await add(job({ key: "a", payload: { n: 1 } }));
  const running = one.runDue();
  await entered;
  await add(job({ key: "a", payload: { n: 2 }, runAt: new Date(the.clock.now().getTime() + 60_000) }));
  open();
  await running;
  assert.equal((await loadJobs()).length, 1, "ending the first run does not delete the second");
  await the.clock.pass(60);
  await one.runDue();
  assert.deepEqual(payloads, [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(await loadJobs(), []);
});

test("another worker takes over a dead worker's job after its lease, and the dead worker can no longer complete it", async () => {
  const dead = createGate();
  await add(job());
  const first = worker({ do: dead.pass }).runDue();
  await dead.entered;
  const alive = createGate();
  const second = worker({ do: alive.pass });
  assert.equal(await second.runDue(), 0, "not while the lease holds");
  await expireLeases();
  const takeover = second.runDue();
  await alive.entered;
  dead.open(); // the first worker wakes up and considers the job done
  await first;
  assert.equal((await loadJobs()).length, 1, "the job belongs to the second worker now");
  alive.open();
  assert.equal(await takeover, 1);
  assert.deepEqual(await loadJobs(), []);
});

test("a slow worker's failure doesn't delay the job that another worker took over", async () => {
  const slow = createGate();
  await add(job());
  const failing = worker({ do: () => slow.pass().then(() => assert.fail("too late")) }).runDue();
  await slow.entered;
  await expireLeases();
  const alive = createGate();
  const takeover = worker({ do: alive.pass }).runDue();
  await alive.entered;
  slow.open();
  await failing;
  const [row] = await loadJobs();
  assert.equal(row?.last_error, null);
  assert.equal(row?.run_at.getTime(), the.clock.now().getTime());
  alive.open();
  await takeover;
});

test("a live worker keeps its lease however long the job takes", async () => {
  const { open, entered, pass } = createGate();
  await add(job());
  const running = worker({ do: pass }).runDue();
  await entered;
  const leased = async () =>
    (await the.sql<{ until: number }>("SELECT extract(epoch FROM leased_until)::float AS until FROM jobs"))[0]?.until ??
    0;
  const first = await leased();
  await until(async () => (await leased()) > first + 1);
  assert.equal(await worker({ do: () => assert.fail("taken") }).runDue(), 0);
  open();
  await running;
});

test("a failing job is retried with increasing delays and is kept", async () => {
  const one = worker({ do: () => assert.fail("not today") });
  await add(job());
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 6; attempt++) {
    const before = the.clock.now().getTime();
    assert.equal(await one.runDue(), 1);
    assert.equal(await one.runDue(), 0, "not immediately");
    const row = (await loadJobs())[0] as Row;
    assert.equal(row.attempts, attempt);
    assert.equal(row.last_error, "not today");
    pauses.push((row.run_at.getTime() - before) / 1000);
    await the.clock.moveTo(row.run_at.toISOString());
  }
  for (let n = 1; n < pauses.length; n++) assert.ok((pauses[n] as number) > (pauses[n - 1] as number), `${pauses}`);
  await the.sql("UPDATE jobs SET attempts = 100");
  const before = the.clock.now().getTime();
  await one.runDue();
  assert.ok(((await loadJobs())[0]?.run_at.getTime() ?? 0) - before <= 3_600_000, "the longest delay is an hour");
  assert.equal(log.length, 7, "each failure is in the log");
});

// biome-ignore format: a table keeps its columns
const poisons: [string, () => unknown][] = [
  ["an error",                     () => { throw new Error("poison"); }],
  ["an error that can't be stored", () => { throw new Error("poison \0 \ud800"); }],
  ["a value that isn't an Error",  () => { throw null; }],
  ["undefined",                    () => Promise.reject(undefined)],
  ["an error of 10 MB",            () => { throw new Error("x".repeat(10_000_000)); }],
];
test.each(poisons)("a job that throws %s blocks no other job and waits for its retry", async (_, throws) => {
  const done: number[] = [];
  const one = worker({ poison: throws, do: ({ n }: { n: number }) => done.push(n) });
  await add(job({ kind: "poison" }), ...Array.from({ length: 40 }, (_, n) => job({ payload: { n } })));
  assert.equal(await one.runDue(), 41);
  assert.equal(done.length, 40);
  const [row, ...others] = await loadJobs();
  assert.deepEqual([row?.kind, others.length], ["poison", 0]);
  await expireLeases();
  assert.equal(await one.runDue(), 0, "its retry delay doesn't end with its lease");
  assert.ok((row?.run_at.getTime() ?? 0) > the.clock.now().getTime());
});

test("a job that never ends doesn't block the others", async () => {
  const stuck = createGate();
  const done: number[] = [];
  const one = worker({ stuck: stuck.pass, do: ({ n }: { n: number }) => done.push(n) });
  await add(job({ kind: "stuck" }), ...Array.from({ length: 40 }, (_, n) => job({ payload: { n } })));
  one.start(10);
  await stuck.entered;
  try {
    await until(() => done.length === 40);
  } finally {
    stuck.open();
    await one.stop();
  }
});

test("two workers run 200 jobs, each exactly once", async () => {
  const runs = new Map<number, number>();
  const handlers = {
    do: async ({ n }: { n: number }) => {
      runs.set(n, (runs.get(n) ?? 0) + 1);
      await new Promise((next) => setTimeout(next, n % 7));
    },
  };
  await add(...Array.from({ length: 200 }, (_, n) => job({ payload: { n } })));
  const workers = [worker(handlers), worker(handlers)];
  const counts = await Promise.all(workers.map((one) => one.runDue()));
  assert.equal((counts[0] as number) + (counts[1] as number), 200);
  assert.ok(Math.min(...counts) > 0, "both worked");
  assert.deepEqual([runs.size, Math.max(...runs.values())], [200, 1]);
  assert.deepEqual(await loadJobs(), []);
});

test("stopping a worker lets the running job finish and starts no other", async () => {
  const { open, entered, pass } = createGate();
  let ended = false;
  const one = worker({
    do: () =>
      pass().then(() => {
        ended = true;
      }),
  });
  await add(job());
  one.start(10);
  await entered;
  const stopping = one.stop();
  await add(job({ kind: "do" }));
  open();
  await stopping;
  assert.ok(ended);
  assert.equal((await loadJobs()).length, 1);
});

test("jobs of a serialized kind run one after another, in order, across processes", async () => {
  const all = Array.from({ length: 12 }, (_, number) => job({ kind: "turn", payload: { number } }));
  await add(...all);
  const done: number[] = [];
  let running = 0;
  const take = async ({ number }: { number: number }) => {
    assert.equal(++running, 1, "another job is running");
    await the.sql("SELECT 1");
    done.push(number);
    running--;
  };
  const several = [1, 2, 3].map(() => worker({ turn: take as never }, ["turn"]));
  await until(async () => {
    await Promise.all(several.map((each) => each.runDue()));
    return done.length === all.length;
  });
  assert.deepEqual(
    done,
    all.map((_, number) => number),
  );
  assert.deepEqual(log, []);
});
