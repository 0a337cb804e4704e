import { afterAll, expect, test } from "vitest";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import { assembleService } from "../../server/service.ts";
import { tokenFor } from "../support/seed.ts";
import { createClient, world } from "../support/world.ts";

// Two processes of one instance: two services on one database, each with its own memory.

const env = { RATE_LIMIT: "30", RATE_BURST: "0" };
const { as, databaseUrl, clock, service } = await world({ env });
const second = await assembleService({
  configuration: { ...readConfiguration({ ...env, DATA_DIR: service.api.configuration.dataDirectory }), port: 0 },
  databaseUrl,
  clock,
  log: createJsonLog(() => {}),
});

const here = as("administrator");
await here.get("/teams");
await here.get("/teams");
const port = await second.start();
afterAll(() => second.stop());
const there = createClient(`http://127.0.0.1:${port}/v1`, {
  Authorization: `Bearer ${tokenFor("administrator")}`,
  account: "widget-it",
});

const readRemaining = (reply: { headers: Headers }) => Number(reply.headers.get("x-ratelimit-remaining"));

test("a process hands over its local count when a second one starts", async () => {
  const readThere = async () => {
    await clock.pass(2); // the status call is limited to one a second
    return readRemaining(await there.get("/rate_limit"));
  };
  await expect.poll(readThere).toBe(28);
});

test("all processes together allow exactly the limit", async () => {
  const available = readRemaining(await there.get("/teams"));
  const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? here : there).get("/teams")));
  const allowed = replies.filter(({ status }) => status === 200).length;
  expect(allowed).toBe(available);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.body.message).toBe("Too Many Requests");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3000);
});

test("all clients start with the full limit when the window is over", async () => {
  await clock.pass(3600);
  expect(readRemaining(await here.get("/teams"))).toBe(29);
  expect(readRemaining(await there.get("/teams"))).toBe(28);
});
