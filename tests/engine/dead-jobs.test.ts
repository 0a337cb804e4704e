import { beforeEach, expect, test } from "vitest";
import { createJsonLog } from "../../server/base/log.ts";
import { addJob } from "../../server/queue/jobs.ts";
import { maxAttempts, Worker } from "../../server/queue/worker.ts";
import { world } from "../support/world.ts";

// A job that keeps failing ends as a dead job, which administrators can retry or delete.

const the = await world();
const { database } = the.service.engine;
await the.service.worker.stop(); // only the workers of this file run jobs
const path = "/dead_jobs";
const administrator = the.as("administrator");

let shouldFail = true;
let runs = 0;
const worker = new Worker(
  database,
  the.clock,
  createJsonLog(() => {}),
  {
    do: async () => {
      runs++;
      if (shouldFail) throw new Error("the disk is full");
    },
  },
);

beforeEach(async () => {
  [shouldFail, runs] = [true, 0];
  await the.sql("DELETE FROM jobs");
});

const add = (key: string, account: string | null = "widget-it") =>
  database.transaction(async (tx) => {
    addJob(tx, { kind: "do", key, account, payload: { secret: "s3cret" }, runAt: the.clock.now() });
  });
const runAt = async () => (await the.sql<{ run_at: Date }>("SELECT run_at FROM jobs"))[0]?.run_at as Date;
const kill = async () => {
  await the.sql("UPDATE jobs SET attempts = $1", [maxAttempts - 1]);
  await worker.runDue();
};
const metric = async (name: string) =>
  new RegExp(`^${name} (\\d+)$`, "m").exec((await (await fetch(`${the.url}/metrics`)).text()) ?? "")?.[1];

test("a job is retried for a week and is then dead; it doesn't run again automatically", async () => {
  await add("one");
  const first = the.clock.now().getTime();
  for (;;) {
    await worker.runDue();
    const [row] = await the.sql<{ dead_at: Date | null }>("SELECT dead_at FROM jobs");
    if (row?.dead_at != null) break;
    await the.clock.moveTo((await runAt()).toISOString());
  }
  expect(runs).toBe(maxAttempts);
  const days = (the.clock.now().getTime() - first) / 86_400_000;
  expect(days).toBeGreaterThan(7);
  expect(days).toBeLessThan(8);
  await the.clock.pass(30 * 86_400);
  expect(await worker.runDue()).toBe(0);
});

test("a job that ends the process on every run is dead as well and doesn't run again", async () => {
  await add("one");
  await the.sql("UPDATE jobs SET attempts = $1", [maxAttempts]);
  await worker.runDue();
  expect(runs).toBe(0);
  expect((await administrator.get(path)).body).toMatchObject([{ error: "the process ended whenever the job ran" }]);
});

test("administrators list their account's dead jobs without payload and key, and retry them", async () => {
  await add("one");
  await add("of the instance", null);
  expect(await metric("steward_jobs_dead")).toBe("0");
  await kill();
  expect(await metric("steward_jobs_dead")).toBe("2");
  expect(await metric("steward_jobs_due")).toBe("0");
  const { status, body } = await administrator.get(path);
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      id: expect.any(Number),
      kind: "do",
      attempts: maxAttempts,
      error: "the disk is full",
      dead_at: expect.any(String),
    },
  ]);
  const specialist = the.as("specialist");
  expect((await specialist.get(path)).status).toBe(403);
  expect((await specialist.post(`${path}/${body[0].id}/retry`)).status).toBe(403);

  shouldFail = false;
  expect((await administrator.post(`${path}/${body[0].id}/retry`)).status).toBe(204);
  expect((await administrator.post(`${path}/${body[0].id}/retry`)).status).toBe(404);
  expect(await worker.runDue()).toBe(1);
  expect((await administrator.get(path)).body).toEqual([]);
  expect(await the.sql("SELECT account_id FROM jobs")).toEqual([{ account_id: null }]);
});

test("a job of another account or of the instance can be neither retried nor deleted", async () => {
  await add("one", null);
  await kill();
  const [row] = await the.sql<{ id: number }>("SELECT id FROM jobs");
  expect((await administrator.post(`${path}/${row?.id}/retry`)).status).toBe(404);
  expect((await administrator.delete(`${path}/${row?.id}`)).status).toBe(404);
});

test("a retried job gets all its attempts again, and a dead job can be deleted", async () => {
  await add("one");
  await kill();
  const [{ id }] = (await administrator.get(path)).body;
  await administrator.post(`${path}/${id}/retry`);
  await worker.runDue();
  expect((await administrator.get(path)).body).toEqual([]);
  expect(await the.sql("SELECT attempts FROM jobs")).toEqual([{ attempts: 1 }]);
  expect((await administrator.delete(`${path}/${id}`)).status).toBe(404);
  await the.clock.moveTo((await runAt()).toISOString());
  await kill();
  expect((await administrator.delete(`${path}/${id}`)).status).toBe(204);
  expect(await the.sql("SELECT 1 FROM jobs")).toEqual([]);
});

test("adding a dead job again revives it", async () => {
  await add("one");
  await kill();
  await add("one");
  shouldFail = false;
  expect(await worker.runDue()).toBe(1);
  expect(await the.sql("SELECT 1 FROM jobs")).toEqual([]);
});
