import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { hashToken } from "../../server/oauth/tokens.ts";
import { startTime, tokenFor } from "../support/seed.ts";
import { type Reply, world } from "../support/world.ts";

// CV20

const start = Date.parse(startTime) / 1000;
const standing = ({ headers }: Reply) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const hourly = (limit: number) => ({ env: { RATE_LIMIT: String(limit), RATE_BURST: "0" } });

describe("the hourly window", () => {
  test("CV20: begins with the first request and counts down from 3600", async () => {
    const { as, clock } = await world({ env: { RATE_LIMIT: "", RATE_BURST: "0" } });
    const me = as("specialist");
    assert.deepEqual(standing(await me.get("/me")), [3600, 3599, start + 3600]);
    await clock.pass(100);
    assert.deepEqual(standing(await me.get("/me")), [3600, 3598, start + 3600], "Reset stays where it is");
    assert.deepEqual(standing(await as("manager").get("/me")), [3600, 3599, start + 3700], "everybody has an own one");
  });

  // biome-ignore format: a table keeps its columns
  test.each<[number, string, string, unknown, Record<string, string>]>([
    [200, "GET",    "/teams",            undefined,        {}],
    [400, "GET",    "/teams?per_page=0", undefined,        {}],
    [400, "GET",    "/teams/%zz",        undefined,        {}],
    [400, "POST",   "/specimens",        "{",              {}],
    [401, "GET",    "/teams",            undefined,        { Authorization: "Bearer x" }],
    [403, "GET",    "/teams",            undefined,        { account: "stranger" }],
    [404, "GET",    "/teams/99",         undefined,        {}],
    [404, "GET",    "/nothing",          undefined,        {}],
    [404, "DELETE", "/teams/1",          undefined,        {}],
    [406, "GET",    "/teams",            undefined,        { Accept: "text/html" }],
    [413, "POST",   "/specimens",        "x".repeat(2e6),  {}],
    [415, "POST",   "/specimens",        "x",              { "Content-Type": "text/plain" }],
    [422, "POST",   "/specimens",        {},               {}],
  ])("is told and counted with a %i for %s %s", async (status, method, path, body, headers) => {
    const { as } = await shared;
    const before = standing(await as("administrator").get("/me"))[1] as number;
    const reply = await as("administrator").send(method, path, body, headers);
    assert.equal(reply.status, status);
    const [limit, , reset] = standing(reply);
    assert.deepEqual([limit, reset], [1000, start + 3600]);
    const after = standing(await as("administrator").get("/me"))[1] as number;
    const counted = status === 401 || path.includes("%") ? 0 : 1; // those are counted for the address
    assert.equal(before - after, counted + 1);
  });
  const shared = world(hourly(1000));

  test("is told and counted with a 304", async () => {
    const me = (await shared).as("specialist");
    const first = await me.get("/me");
    const again = await me.get("/me", { "If-None-Match": first.headers.get("etag") as string });
    assert.equal(again.status, 304);
    assert.equal(standing(again)[1], (standing(first)[1] as number) - 1);
  });

  test("exceeded is a 429 until it is over", async () => {
    const { as, clock, base } = await world(hourly(5));
    const me = as("specialist");
    for (let n = 1; n <= 5; n++) assert.deepEqual(standing(await me.get("/me")), [5, 5 - n, start + 3600]);
    await clock.pass(60);
    const refused = await me.get("/me");
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("content-type"), "application/json; charset=utf-8");
    assert.deepEqual(refused.body, {
      message: "Too Many Requests",
      documentation_url: `${base.replace("/v1", "")}/docs/api`,
    });
    assert.equal(refused.headers.get("retry-after"), "3540");
    assert.deepEqual(standing(refused), [5, 0, start + 3600]);
    assert.equal((await me.post("/specimens", { subject: "x" })).status, 429, "whatever is asked");
    assert.equal((await as("manager").get("/me")).status, 200, "others go on");

    await clock.pass(3539.999);
    assert.equal((await me.get("/me")).headers.get("retry-after"), "1");
    await clock.pass(0.001);
    assert.deepEqual(standing(await me.get("/me")), [5, 4, start + 7200], "a new window");
  });

  test("is one for all tokens of a person", async () => {
    const { as, withToken, sql } = await world(hourly(5));
    await sql(
      `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at)
       SELECT account_id, person_id, 'personal', 'second', $1, scopes, created_at FROM tokens WHERE person_id = 3`,
      [hashToken(tokenFor("second"))],
    );
    assert.equal(standing(await as("specialist").get("/me"))[1], 4);
    assert.equal(standing(await withToken(tokenFor("second")).get("/me"))[1], 3);
    assert.equal(standing(await as("specialist", { account: "widget" }).get("/me"))[1], 2, "and for all accounts");
  });

  test("is one per address for callers without credentials, and bad credentials count for the address", async () => {
    const { nobody, withToken, as } = await world(hourly(5));
    assert.deepEqual(standing(await nobody.get("/enums")), [5, 4, start + 3600]);
    assert.equal(standing(await nobody.get("/teams"))[1], 3);
    assert.equal(standing(await withToken(tokenFor("unknown")).get("/me"))[1], 2);
    assert.equal(standing(await withToken("x").get("/me"))[1], 1);
    assert.equal(standing(await nobody.get("/%zz"))[1], 0);
    assert.equal((await nobody.get("/enums")).status, 429);
    assert.equal((await withToken(tokenFor("unknown")).get("/me")).status, 429, "guessing ends here");
    assert.equal((await as("specialist").get("/me")).status, 200, "a known person does not share it");
  });

  test("follows the address that a trusted proxy tells, and nobody else's word", async () => {
    const trusting = await world({ env: { RATE_LIMIT: "5", RATE_BURST: "0", TRUST_PROXY: "127.0.0.1" } });
    const over = (address: string) => ({ "X-Forwarded-Proto": "https", "X-Forwarded-For": address });
    assert.equal(standing(await trusting.nobody.get("/enums", over("203.0.113.1")))[1], 4);
    assert.equal(standing(await trusting.nobody.get("/enums", over("203.0.113.2")))[1], 4);
    assert.equal(standing(await trusting.nobody.get("/enums", over("203.0.113.7, 203.0.113.1")))[1], 3);
    const wary = await world(hourly(5));
    assert.equal(standing(await wary.nobody.get("/enums", over("203.0.113.1")))[1], 4);
    assert.equal(standing(await wary.nobody.get("/enums", over("203.0.113.2")))[1], 3);
  });

  test("locks nobody out when the clock is set back", async () => {
    const { as, clock } = await world(hourly(5));
    await as("specialist").get("/me");
    await clock.moveTo("2025-03-03T07:00:00Z");
    assert.equal((await as("specialist").get("/me")).status, 200);
  });
});

describe("the burst limit", () => {
  test("CV20: is 20 requests in 2 seconds", async () => {
    const { as, clock } = await world({ env: { RATE_LIMIT: "", RATE_BURST: "" } });
    const me = as("specialist");
    for (let n = 1; n <= 20; n++) assert.equal((await me.get("/me")).status, 200, `request ${n}`);
    const refused = await me.get("/me");
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "2");
    assert.equal(refused.body.message, "Too Many Requests");
    assert.equal(standing(refused)[0], 3600);
    assert.equal((await as("manager").get("/me")).status, 200);

    await clock.pass(1);
    assert.equal((await me.get("/me")).headers.get("retry-after"), "1");
    await clock.pass(1);
    for (let n = 1; n <= 20; n++)
      assert.equal((await me.get("/me")).status, 200, `request ${n} of the next two seconds`);
    assert.equal((await me.get("/me")).status, 429);
  });

  test("slides: there is no moment at which 40 pass", async () => {
    const { as, clock } = await world({ env: { RATE_LIMIT: "0", RATE_BURST: "4/2" } });
    const me = as("specialist");
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) {
      statuses.push((await me.get("/me")).status, (await me.get("/me")).status);
      await clock.pass(0.5);
    }
    // Every half second two ask: of any four halves, four requests pass.
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429, 429, 429, 200, 200, 200, 200, 429, 429, 429, 429]);
  });
});

describe("GET /rate_limit", () => {
  const core = { limit: 5, remaining: 4, reset: start + 3600 };

  test("CV20: tells the standing, costs nothing, and may be asked once a second", async () => {
    const { as, clock } = await world(hourly(5));
    const me = as("specialist");
    await me.get("/me");
    const told = await me.get("/rate_limit");
    assert.equal(told.status, 200);
    assert.deepEqual(told.body, { ...core, resources: { core } });
    assert.deepEqual(standing(told), [5, 4, start + 3600]);

    const hasty = await me.get("/rate_limit");
    assert.equal(hasty.status, 429);
    assert.equal(hasty.body.message, "Too Many Requests");
    assert.equal(hasty.headers.get("retry-after"), "1");
    assert.deepEqual(standing(hasty), [5, 4, start + 3600]);

    await clock.pass(1);
    assert.equal((await me.get("/rate_limit")).body.remaining, 4, "nothing was counted");
    assert.equal(standing(await me.get("/me"))[1], 3);
  });

  test("CO4: answers without credentials, for the address; bad ones are a 401", async () => {
    const { nobody, withToken } = await world(hourly(5));
    await nobody.get("/enums");
    assert.deepEqual((await nobody.get("/rate_limit")).body, { ...core, resources: { core } });
    assert.equal((await withToken("x").get("/rate_limit")).status, 401);
  });

  test("still answers when nothing else does", async () => {
    const { as } = await world(hourly(1));
    await as("specialist").get("/me");
    assert.equal((await as("specialist").get("/me")).status, 429);
    const { status, body } = await as("specialist").get("/rate_limit");
    assert.deepEqual([status, body.remaining], [200, 0]);
  });

  test("does not begin the window: only a counted request does", async () => {
    const { as, clock } = await world(hourly(5));
    const { body } = await as("specialist").get("/rate_limit");
    assert.deepEqual([body.limit, body.remaining], [5, 5]);
    await clock.pass(1000);
    assert.deepEqual(standing(await as("specialist").get("/me")), [5, 4, start + 4600]);
  });
});

test("RATE_LIMIT=0 and RATE_BURST=0 switch the limits off, and the headers stay", async () => {
  const { as } = await world();
  const replies = await Promise.all(Array.from({ length: 100 }, () => as("specialist").get("/me")));
  for (const reply of replies) {
    assert.equal(reply.status, 200);
    for (const value of standing(reply)) assert.ok(Number.isInteger(value) && value > 0);
  }
  for (let n = 0; n < 3; n++) assert.equal((await as("specialist").get("/rate_limit")).status, 200);
});
