import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { hashToken } from "../../server/oauth/tokens.ts";
import { startTime, tokenFor } from "../support/seed.ts";
import { type Reply, world } from "../support/world.ts";

// CV20

const start = Date.parse(startTime) / 1000;
const readLimit = ({ headers }: Reply) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const hourly = (limit: number) => ({ env: { RATE_LIMIT: String(limit), RATE_BURST: "0" } });

describe("the hourly window", () => {
  test("CV20: begins with the first call and counts down from 3600", async () => {
    const { as, clock } = await world({ env: { RATE_LIMIT: "", RATE_BURST: "0" } });
    const me = as("specialist");
    assert.deepEqual(readLimit(await me.get("/me")), [3600, 3599, start + 3600]);
    await clock.pass(100);
    assert.deepEqual(readLimit(await me.get("/me")), [3600, 3598, start + 3600], "Reset doesn't change");
    assert.deepEqual(
      readLimit(await as("manager").get("/me")),
      [3600, 3599, start + 3700],
      "each person has their own",
    );
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
  ])("is reported and counted with a %i for %s %s", async (status, method, path, body, headers) => {
    const { as } = await shared;
    const before = readLimit(await as("administrator").get("/me"))[1] as number;
    const reply = await as("administrator").send(method, path, body, headers);
    assert.equal(reply.status, status);
    const [limit, , reset] = readLimit(reply);
    assert.deepEqual([limit, reset], [1000, start + 3600]);
    const after = readLimit(await as("administrator").get("/me"))[1] as number;
    const counted = status === 401 || path.includes("%") ? 0 : 1; // these count for the address
    assert.equal(before - after, counted + 1);
  });
  const shared = world(hourly(1000));

  test("is reported and counted with a 304", async () => {
    const me = (await shared).as("specialist");
    const first = await me.get("/me");
    const again = await me.get("/me", { "If-None-Match": first.headers.get("etag") as string });
    assert.equal(again.status, 304);
    assert.equal(readLimit(again)[1], (readLimit(first)[1] as number) - 1);
  });

  test("rejects calls with 429 from the limit to the end of the window", async () => {
    const { as, clock, base } = await world(hourly(5));
    const me = as("specialist");
    for (let n = 1; n <= 5; n++) assert.deepEqual(readLimit(await me.get("/me")), [5, 5 - n, start + 3600]);
    await clock.pass(60);
    const refused = await me.get("/me");
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("content-type"), "application/json; charset=utf-8");
    assert.deepEqual(refused.body, {
      message: "Too Many Requests",
      documentation_url: `${base.replace("/v1", "")}/docs/api`,
    });
    assert.equal(refused.headers.get("retry-after"), "3540");
    assert.deepEqual(readLimit(refused), [5, 0, start + 3600]);
    assert.equal((await me.post("/specimens", { subject: "x" })).status, 429, "for every call");
    assert.equal((await as("manager").get("/me")).status, 200, "others aren't affected");

    await clock.pass(3539.999);
    assert.equal((await me.get("/me")).headers.get("retry-after"), "1");
    await clock.pass(0.001);
    assert.deepEqual(readLimit(await me.get("/me")), [5, 4, start + 7200], "a new window");
  });

  test("is shared by all tokens of a person", async () => {
    const { as, withToken, sql } = await world(hourly(5));
    await sql(
      `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at)
       SELECT account_id, person_id, 'personal', 'second', $1, scopes, created_at FROM tokens WHERE person_id = 3`,
      [hashToken(tokenFor("second"))],
    );
    assert.equal(readLimit(await as("specialist").get("/me"))[1], 4);
    assert.equal(readLimit(await withToken(tokenFor("second")).get("/me"))[1], 3);
    assert.equal(readLimit(await as("specialist", { account: "widget" }).get("/me"))[1], 2, "and for all accounts");
  });

  test("is per address for callers without credentials, and calls with bad credentials count for the address", async () => {
    const { nobody, withToken, as } = await world(hourly(5));
    assert.deepEqual(readLimit(await nobody.get("/enums")), [5, 4, start + 3600]);
    assert.equal(readLimit(await nobody.get("/teams"))[1], 3);
    assert.equal(readLimit(await withToken(tokenFor("unknown")).get("/me"))[1], 2);
    assert.equal(readLimit(await withToken("x").get("/me"))[1], 1);
    assert.equal(readLimit(await nobody.get("/%zz"))[1], 0);
    assert.equal((await nobody.get("/enums")).status, 429);
    assert.equal((await withToken(tokenFor("unknown")).get("/me")).status, 429, "guessing ends here");
    assert.equal((await as("specialist").get("/me")).status, 200, "a known person does not share it");
  });

  test("uses the client address that a trusted proxy reports, and ignores such headers from others", async () => {
    const trusting = await world({ env: { RATE_LIMIT: "5", RATE_BURST: "0", TRUST_PROXY: "127.0.0.1" } });
    const forwardedFor = (address: string) => ({ "X-Forwarded-Proto": "https", "X-Forwarded-For": address });
    assert.equal(readLimit(await trusting.nobody.get("/enums", forwardedFor("203.0.113.1")))[1], 4);
    assert.equal(readLimit(await trusting.nobody.get("/enums", forwardedFor("203.0.113.2")))[1], 4);
    assert.equal(readLimit(await trusting.nobody.get("/enums", forwardedFor("203.0.113.7, 203.0.113.1")))[1], 3);
    const wary = await world(hourly(5));
    assert.equal(readLimit(await wary.nobody.get("/enums", forwardedFor("203.0.113.1")))[1], 4);
    assert.equal(readLimit(await wary.nobody.get("/enums", forwardedFor("203.0.113.2")))[1], 3);
  });

  test("locks no one out when the clock is set back", async () => {
    const { as, clock } = await world(hourly(5));
    await as("specialist").get("/me");
    await clock.moveTo("2025-03-03T07:00:00Z");
    assert.equal((await as("specialist").get("/me")).status, 200);
  });
});

describe("the burst limit", () => {
  test("CV20: is 20 calls in 2 seconds", async () => {
    const { as, clock } = await world({ env: { RATE_LIMIT: "", RATE_BURST: "" } });
    const me = as("specialist");
    for (let n = 1; n <= 20; n++) assert.equal((await me.get("/me")).status, 200, `request ${n}`);
    const refused = await me.get("/me");
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "2");
    assert.equal(refused.body.message, "Too Many Requests");
    assert.equal(readLimit(refused)[0], 3600);
    assert.equal((await as("manager").get("/me")).status, 200);

    await clock.pass(1);
    assert.equal((await me.get("/me")).headers.get("retry-after"), "1");
    await clock.pass(1);
    for (let n = 1; n <= 20; n++)
      assert.equal((await me.get("/me")).status, 200, `request ${n} of the next two seconds`);
    assert.equal((await me.get("/me")).status, 429);
  });

  test("slides: 40 calls never pass within 2 seconds", async () => {
    const { as, clock } = await world({ env: { RATE_LIMIT: "0", RATE_BURST: "4/2" } });
    const me = as("specialist");
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) {
      statuses.push((await me.get("/me")).status, (await me.get("/me")).status);
      await clock.pass(0.5);
    }
    // Two calls every half second: in any two seconds, four calls pass.
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429, 429, 429, 200, 200, 200, 200, 429, 429, 429, 429]);
  });
});

describe("GET /rate_limit", () => {
  const core = { limit: 5, remaining: 4, reset: start + 3600 };

  test("CV20: reports the remaining calls, costs nothing, and can be called once a second", async () => {
    const { as, clock } = await world(hourly(5));
    const me = as("specialist");
    await me.get("/me");
    const reply = await me.get("/rate_limit");
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { ...core, resources: { core } });
    assert.deepEqual(readLimit(reply), [5, 4, start + 3600]);

    const hasty = await me.get("/rate_limit");
    assert.equal(hasty.status, 429);
    assert.equal(hasty.body.message, "Too Many Requests");
    assert.equal(hasty.headers.get("retry-after"), "1");
    assert.deepEqual(readLimit(hasty), [5, 4, start + 3600]);

    await clock.pass(1);
    assert.equal((await me.get("/rate_limit")).body.remaining, 4, "nothing was counted");
    assert.equal(readLimit(await me.get("/me"))[1], 3);
  });

  test("CO4: responds without credentials, for the address; bad ones get 401", async () => {
    const { nobody, withToken } = await world(hourly(5));
    await nobody.get("/enums");
    assert.deepEqual((await nobody.get("/rate_limit")).body, { ...core, resources: { core } });
    assert.equal((await withToken("x").get("/rate_limit")).status, 401);
  });

  test("still responds when the limit is reached", async () => {
    const { as } = await world(hourly(1));
    await as("specialist").get("/me");
    assert.equal((await as("specialist").get("/me")).status, 429);
    const { status, body } = await as("specialist").get("/rate_limit");
    assert.deepEqual([status, body.remaining], [200, 0]);
  });

  test("does not begin the window: only a counted call does", async () => {
    const { as, clock } = await world(hourly(5));
    const { body } = await as("specialist").get("/rate_limit");
    assert.deepEqual([body.limit, body.remaining], [5, 5]);
    await clock.pass(1000);
    assert.deepEqual(readLimit(await as("specialist").get("/me")), [5, 4, start + 4600]);
  });
});

test("RATE_LIMIT=0 and RATE_BURST=0 disable the limits, and the headers remain", async () => {
  const { as } = await world();
  const replies = await Promise.all(Array.from({ length: 100 }, () => as("specialist").get("/me")));
  for (const reply of replies) {
    assert.equal(reply.status, 200);
    for (const value of readLimit(reply)) assert.ok(Number.isInteger(value) && value > 0);
  }
  for (let n = 0; n < 3; n++) assert.equal((await as("specialist").get("/rate_limit")).status, 200);
});
