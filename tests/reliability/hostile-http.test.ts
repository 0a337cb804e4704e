import assert from "node:assert/strict";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import { statement } from "../../server/database/database.ts";
import type { Change } from "../../server/engine/rules.ts";
import { assembleService, type Service } from "../../server/service.ts";
import { buildRawRequest, exchangeUntilClose, RawConnection, type RawReply } from "../support/clients/raw-http.ts";
import { malformedBodies, malformedQueries, malformedRequests } from "../support/hostile/malformed-requests.ts";
import { credentialHeaders, randomRequest } from "../support/hostile/random-requests.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../support/processes/database-proxy.ts";
import { measureProcessorTime } from "../support/processes/processor-time.ts";
import { seedFor } from "../support/random.ts";
import { specimenRules } from "../support/records/specimen.ts";
import { atScale } from "../support/scale.ts";
import { tokenFor } from "../support/seed.ts";
import { loggedErrors, type World, world } from "../support/world.ts";

// No input from a client may cause a 5xx, a crash, or a partial change (CV32).

let the: World;
let port: number;
beforeAll(async () => {
  the = await world();
  port = Number(new URL(the.url).port);
});

// Generated before the server starts. The server runs in this process and couldn't respond to its database in the meantime.
const requests = fc.sample(randomRequest, {
  seed: seedFor("hostile requests"),
  numRuns: atScale(2_000, 10_000),
});
const json = "application/json; charset=utf-8";

describe("a client that sends noise", () => {
  function describeComplaint(reply: RawReply, method: string): string | null {
    if (reply.status === 0) return "no answer";
    if (reply.status >= 500) return `status ${reply.status}`;
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"])
      if (!reply.headers.has(name)) return `${reply.status} without ${name}`;
    if (method === "HEAD" || reply.status === 204 || reply.status === 304) return null;
    if (reply.headers.get("content-type") !== json)
      return `${reply.status} with type ${reply.headers.get("content-type")}`;
    const parsed = JSON.parse(reply.text) as { message?: unknown };
    return reply.status >= 400 && typeof parsed.message !== "string" ? `${reply.status} without a message` : null;
  }
  const countConnections = async () =>
    (await the.sql("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()")).length;

  test(`CV32: gets ${requests.length} proper responses, and the server stays healthy`, async () => {
    const administrator = the.as("administrator");
    await administrator.post("/specimens", { subject: "the first" });
    await Promise.all(Array.from({ length: 50 }, (_, count) => administrator.patch("/specimens/1", { count })));
    const before = await countConnections();
    const complaints = new Map<string, string[]>();
    const statuses = new Map<number, number>();
    let next = 0;
    const client = async () => {
      const wire = new RawConnection(port);
      for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
        const reply = await wire.send(one.bytes, one.method);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        const complaint = describeComplaint(reply, one.method);
        const sent = one.bytes.toString("utf8").slice(0, 2000);
        if (complaint !== null) complaints.set(complaint, [...(complaints.get(complaint) ?? []), sent]);
      }
      wire.close();
    };
    await Promise.all(Array.from({ length: 8 }, client));
    const summary = [...complaints].map(([complaint, list]) => ({ complaint, times: list.length, first: list[0] }));
    assert.deepEqual(summary, []);
    assert.deepEqual(loggedErrors(the.log), []);
    const many = requests.length / 20;
    assert.ok((statuses.get(200) ?? 0) > many && (statuses.get(422) ?? 0) > many, "the noise reached the engine");
    assert.equal((await fetch(`${the.url}/health/ready`)).status, 200);
    // Ten for read lanes, eight writers, one listener and the two of this test.
    assert.ok((await countConnections()) <= Math.max(before, 21), "the number of database connections has grown");
  });
});

describe("named errors", () => {
  test.each(malformedQueries)("%s", async (_, path, status, message) => {
    const reply = await new RawConnection(port).send(buildRawRequest("GET", `/v1${path}`, credentialHeaders));
    assert.equal(reply.status, status, reply.text);
    assert.equal(reply.headers.get("content-type"), json);
    if (message !== null) assert.deepEqual(JSON.parse(reply.text), { message });
  });

  test.each(malformedBodies)("%s", async (_, type, body, status, wrong) => {
    const bytes = buildRawRequest("POST", "/v1/specimens", [...credentialHeaders, ["Content-Type", type]], body);
    const reply = await new RawConnection(port).send(bytes, "POST");
    assert.equal(reply.status, status, reply.text);
    assert.equal(reply.headers.get("content-type"), json);
    if (typeof wrong === "string") assert.deepEqual(JSON.parse(reply.text), { message: wrong });
    else if (wrong !== null) assert.deepEqual(JSON.parse(reply.text), { message: "Validation Failed", errors: wrong });
  });

  test.each(["names[]=x&", "custom_fields[#]=&"])("a long form made of %j blocks no other call", async (part) => {
    let form = "subject=a&";
    // Enough members to tell a quadratic parser from a linear one.
    for (let n = 0; n < 4900; n++) form += part.replace("#", n.toString(36));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const took = await measureProcessorTime(async () =>
      assert.equal((await the.as("administrator").post("/specimens", form, headers)).status, 422),
    );
    assert.ok(took < 1000, `it took ${took} ms`);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["no credentials",          null,                                          401],
    ["nothing after Bearer",   "Bearer ",                                     401],
    ["another scheme",          `Basic ${tokenFor("administrator")}`,           401],
    ["no scheme",               tokenFor("administrator"),                      401],
    ["a token that is short",   `Bearer ${tokenFor("administrator").slice(1)}`, 401],
    ["a token that is long",    `Bearer ${tokenFor("administrator")}x`,         401],
    ["an unknown token",        `Bearer ${"x".repeat(112)}`,                   401],
    ["two tokens",              `Bearer ${tokenFor("administrator")} ${tokenFor("administrator")}`, 401],
    ["a token in quotes",       `Bearer "${tokenFor("administrator")}"`,        401],
    ["a lower-case scheme",    `bearer ${tokenFor("administrator")}`,          200],
  ])("%s", async (_, authorization, status) => {
    const reply = await the.nobody.get("/me", authorization === null ? {} : { Authorization: authorization });
    assert.equal(reply.status, status);
    assert.equal(reply.headers.get("content-type"), json);
    if (status === 401) assert.deepEqual(reply.body, { message: "Unauthorized" });
    if (status === 401) assert.equal(reply.headers.get("www-authenticate"), "Bearer");
  });

  test("AZ2: the token of a person who was just disabled stops working immediately", async () => {
    assert.equal((await the.as("auditor").get("/me")).status, 200);
    assert.equal((await the.as("administrator").patch("/people/4", { disabled: true })).status, 200);
    assert.equal((await the.as("auditor").get("/me")).status, 401);
  });
});

describe("on the wire", () => {
  const head = credentialHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const parseStatus = (reply: string) => Number(reply.split(" ")[1]);

  test.each(malformedRequests)("%s", async (_, bytes, status) => {
    const reply = await exchangeUntilClose(port, Buffer.from(bytes, "latin1"));
    assert.equal(parseStatus(reply), status, reply);
    assert.equal(reply.match(/HTTP\/1\.1 /g)?.length, 1, "one response, then the connection is closed");
    assert.match(reply, /\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    if (status >= 400) assert.equal(typeof JSON.parse(reply.slice(reply.indexOf("{"))).message, "string");
  });

  test("links in the response to an absolute target are addresses", async () => {
    for (const subject of ["a", "b"]) await the.as("administrator").post("/specimens", { subject });
    const target = `http://127.0.0.1:${port}/v1/specimens?per_page=1`;
    const reply = await new RawConnection(port).send(
      buildRawRequest("GET", target, [...credentialHeaders, ["Host", `127.0.0.1:${port}`]]),
    );
    assert.match(reply.headers.get("link") ?? "", new RegExp(`^<http://127\\.0\\.0\\.1:${port}/v1/specimens\\?`));
  });

  test("16,000 slashes block no other call", async () => {
    const took = await measureProcessorTime(async () => {
      for (let n = 0; n < 5; n++)
        await new RawConnection(port).send(buildRawRequest("GET", `/v1${"/".repeat(15_000)}x`));
    });
    assert.ok(took < 1000, `five requests took ${took} ms`);
  });

  test("pipelined calls get their responses in order", async () => {
    const paths = ["/me", "/nothing", "/specimens?per_page=0", "/account", "/teams/1"];
    const requests = paths.map((path) => buildRawRequest("GET", `/v1${path}`, credentialHeaders));
    const replies = await new RawConnection(port).exchange(Buffer.concat(requests), Array(paths.length).fill("GET"));
    const statuses = replies.map((reply) => reply.status);
    assert.deepEqual(statuses, [200, 404, 400, 200, 200]);
  });

  // The admission step cuts off a body that never ends: admission.test.ts, survival.test.ts.
  test("a head that never ends is cut off, and others are served in the meantime", async () => {
    const server = the.service.app.server;
    const { headersTimeout } = server;
    assert.ok(headersTimeout > 0 && headersTimeout <= 60_000);
    // Node checks for slow clients every half minute. For this test, it checks more often and with a shorter timeout.
    Object.assign(server, { headersTimeout: 300, connectionsCheckingInterval: 100 });
    server.emit("listening");
    const unfinished = `POST /v1/specimens HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${head}`;
    const slow = Array.from({ length: 50 }, () => exchangeUntilClose(port, unfinished));
    assert.equal((await the.as("administrator").get("/me")).status, 200);
    for (const reply of await Promise.all(slow)) {
      assert.ok(reply === "" || parseStatus(reply) === 408, reply);
      if (reply !== "") assert.match(reply, /\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    }
    Object.assign(server, { headersTimeout });
    assert.equal((await the.as("administrator").get("/me")).status, 200);
  });
});

test("stopping the server lets running calls finish and waits for nothing else", async () => {
  const all = Promise.withResolvers<void>();
  let started = 0;
  const slow = {
    specimen: {
      ...specimenRules.specimen,
      beforeSave: async ({ tx }: Change) => {
        if (++started === 3) all.resolve();
        await tx.query(statement("SELECT pg_sleep(0.5)"));
      },
    },
  };
  const { service, url } = await world({ rules: slow });
  const wires = Array.from({ length: 4 }, () => new RawConnection(Number(new URL(url).port)));
  await (wires[0] as RawConnection).send(buildRawRequest("GET", "/v1/me", credentialHeaders)); // stays open and idle
  const body = '{"subject":"x"}';
  const running = wires
    .slice(1)
    .map((wire) => wire.send(buildRawRequest("POST", "/v1/specimens", credentialHeaders, body), "POST"));
  // Browsers open connections in advance and may never use them.
  const unused = connect(Number(new URL(url).port)).on("error", () => {});
  await all.promise;
  const begin = performance.now();
  await service.stop();
  assert.ok(performance.now() - begin < 30_000, "a connection without a request would keep the server for a minute");
  for (const reply of running) assert.equal((await reply).status, 200);
  for (const wire of wires) wire.close();
  unused.destroy();
});

describe("the table of errors", () => {
  /** Rules of this test only, which fail in the ways an engine can fail. */
  const failing = {
    specimen: {
      ...specimenRules.specimen,
      beforeSave: async ({ after, tx }: Change) => {
        if (after.subject === "break") throw new Error("the secret cause");
        if (after.subject !== "sleep") return;
        tx.send(statement("SET LOCAL statement_timeout = 50"));
        await tx.query(statement("SELECT pg_sleep(5)"));
      },
      afterSave: ({ after }: Change) => {
        if (after.subject === "break late") throw new Error("the secret cause");
      },
    },
  };
  let broken: World;
  beforeAll(async () => {
    broken = await world({ rules: failing, env: { RATE_BURST: "0", RATE_LIMIT: "1000" } });
  });

  // biome-ignore format: a table keeps its columns
  test.each<[number, string, string, unknown, Record<string, string>, unknown]>([
    [304, "GET",  "/teams/1",              undefined,                 {},                      undefined],
    [400, "GET",  "/teams?per_page=0",     undefined,                 {},                      { message: "Parameter 'per_page' cannot be less than 1" }],
    [400, "POST", "/specimens",            "{",                       {},                      { message: "Invalid JSON string posted" }],
    [401, "GET",  "/teams",                undefined,                 { Authorization: "" },   { message: "Unauthorized" }],
    [403, "GET",  "/teams",                undefined,                 { account: "stranger" }, { message: "Forbidden" }],
    [404, "GET",  "/teams/99",             undefined,                 {},                      { message: "Not Found" }],
    [404, "GET",  "/nothing",              undefined,                 {},                      { message: "Not Found" }],
    [406, "GET",  "/account/billing",      undefined,                 {},                      { message: "Not Acceptable" }],
    [406, "GET",  "/teams",                undefined,                 { Accept: "text/html" }, { message: "Not Acceptable" }],
    [422, "POST", "/specimens",            { count: 101 },            {},                      { message: "Validation Failed", errors: [["subject", "Subject can't be blank"], ["count", "Count must be less than or equal to 100"]] }],
    [422, "POST", "/specimens",            { count: 101 },            { language: "nl" },      undefined],
    [500, "POST", "/specimens",            { subject: "break" },      {},                      { message: "Internal Server Error" }],
    [500, "POST", "/specimens",            { subject: "break late" }, {},                      { message: "Internal Server Error" }],
    [504, "POST", "/specimens",            { subject: "sleep" },      {},                      { message: "Gateway timeout" }],
  ])("%i for %s %s %j", async (status, method, path, body, headers, wanted) => {
    const client = broken.as("administrator");
    const tag = (await client.get("/teams/1")).headers.get("etag") as string;
    const more: Record<string, string> = status === 304 ? { "If-None-Match": tag } : {};
    const reply = await client.send(method, path, body, { ...headers, ...more });
    assert.equal(reply.status, status, reply.text);
    if (status === 304) assert.equal(reply.text, "");
    else assert.equal(reply.headers.get("content-type"), json);
    if (wanted !== undefined) assert.deepEqual(reply.body, wanted);
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"])
      assert.ok(reply.headers.get(name), name);
    if (status === 504) assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/);
  });

  test("CV32: a failure leaves no partial change, and the server keeps its connections", async () => {
    const client = broken.as("administrator");
    for (let n = 0; n < 20; n++) await client.post("/specimens", { subject: n % 2 === 0 ? "break" : "break late" });
    const tables = ["specimens", "audit_lines WHERE audited = 'specimen'", "events WHERE record_type = 'specimen'"];
    for (const table of tables) assert.deepEqual(await broken.sql(`SELECT 1 FROM ${table}`), [], table);
    assert.equal((await client.post("/specimens", { subject: "well" })).status, 200);
    const causes = loggedErrors(broken.log).map((line) => JSON.parse(line).error);
    assert.ok(causes.includes("the secret cause"), "the cause is in the log, and only there");
  });

  test("CO21: 429 says when to retry", async () => {
    const { as } = await world({ env: { RATE_LIMIT: "1" } });
    assert.equal((await as("administrator").get("/teams")).status, 200);
    const { status, headers, body } = await as("administrator").get("/teams");
    assert.equal(status, 429);
    assert.equal(headers.get("content-type"), json);
    assert.equal(body.message, "Too Many Requests");
    assert.match(body.documentation_url, /^http:\/\//);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  });
});

describe("an unavailable database", () => {
  let service: Service;
  let base: string;
  let gate: DatabaseProxy;
  const headers = Object.fromEntries(credentialHeaders);

  beforeAll(async () => {
    gate = await startDatabaseProxy(the.databaseUrl);
    const configuration = { ...readConfiguration({ RATE_LIMIT: "0", RATE_BURST: "0" }), port: 0 };
    service = await assembleService({ configuration, databaseUrl: gate.url, log: createJsonLog(() => {}) });
    base = `http://127.0.0.1:${await service.start()}`;
  });
  afterAll(async () => {
    await service.stop();
    gate.close();
  });

  test("is a 503 with Retry-After until it is back", async () => {
    const get = (path: string) => fetch(base + path, { headers });
    const post = () =>
      fetch(`${base}/v1/teams`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: '{"name":"a"}',
      });
    assert.equal((await get("/v1/teams")).status, 200);
    assert.equal((await post()).status, 201);
    gate.disconnect();
    for (const ask of [() => get("/v1/teams"), () => get("/v1/me"), () => get("/v1/teams/1"), post, post]) {
      const reply = await ask();
      assert.equal(reply.status, 503);
      assert.equal(reply.headers.get("content-type"), json);
      assert.match(reply.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      assert.ok(reply.headers.get("x-ratelimit-limit"));
      assert.deepEqual(await reply.json(), { message: "Service Unavailable" });
    }
    assert.equal((await get("/health/ready")).status, 503);
    assert.equal((await get("/health/live")).status, 200);
    assert.equal((await get("/v1/enums")).status, 503, "credentials cannot be checked");
    assert.equal((await fetch(`${base}/v1/enums`)).status, 200, "this call doesn't need the database");
    gate.reconnect();
    assert.deepEqual(
      await Promise.all([get("/v1/teams"), get("/v1/me"), post(), post()].map(async (reply) => (await reply).status)),
      [200, 200, 201, 201],
    );
    assert.equal((await get("/health/ready")).status, 200);
  });
});

const own = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address;

/** Registered only if this machine has an address that others could reach. */
function describePlainHttp(own: string): void {
  describe("plain HTTP from another address", () => {
    const at = (the: World) => Number(new URL(the.url).port);
    const ask = (the: World, more: [string, string][] = [], target = "/v1/me") =>
      new RawConnection(at(the), own).send(buildRawRequest("GET", target, [...credentialHeaders, ...more]));

    test("is refused before the server reads anything", async () => {
      const open = await world({ env: { HOST: "0.0.0.0" } });
      for (const target of ["/v1/me", "/v1/enums", "/", "/health/live", "/metrics", "/v1/%zz", "/attachments/x"]) {
        const reply = await ask(
          open,
          [
            ["X-Forwarded-Proto", "https"],
            ["X-Forwarded-For", "127.0.0.1"],
          ],
          target,
        );
        assert.equal(reply.status, 403, target);
        assert.equal(reply.headers.get("content-type"), json);
        assert.match(JSON.parse(reply.text).message, /^Forbidden/);
      }
      const promised = buildRawRequest("POST", "/v1/specimens", [...credentialHeaders, ["Content-Length", "1000000"]]);
      assert.match(await exchangeUntilClose(at(open), promised, undefined, own), /^HTTP\/1\.1 403 /);
      assert.equal((await open.as("administrator").get("/me")).status, 200, "this machine is served");
    });

    test("is served if a trusted proxy reports HTTPS", async () => {
      const behind = await world({ env: { HOST: "0.0.0.0", TRUST_PROXY: own } });
      const https: [string, string] = ["X-Forwarded-Proto", "https"];
      assert.equal((await ask(behind, [https])).status, 200);
      assert.equal((await ask(behind)).status, 403);
      assert.equal((await ask(behind, [["X-Forwarded-Proto", "http"]])).status, 403);
      const storage = await ask(behind, [https, ["X-Forwarded-Host", "desk.example"]], "/v1/attachments/storage");
      assert.equal(JSON.parse(storage.text).upload_uri, "https://desk.example/v1/attachments");
      const elsewhere = await behind
        .as("administrator")
        .get("/attachments/storage", { "X-Forwarded-Host": "evil.example" });
      assert.doesNotMatch(elsewhere.text, /evil/);
    });
  });
}
if (own !== undefined) describePlainHttp(own);
