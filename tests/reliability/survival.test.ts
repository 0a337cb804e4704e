import assert from "node:assert/strict";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { beforeAll, describe, test } from "vitest";
import { ConnectionWatch } from "../../server/api/http/admission/connection-watch.ts";
import { Admission } from "../../server/base/admission.ts";
import { beginSession } from "../support/clients/begin-session.ts";
import { buildRawRequest, exchangeUntilClose, RawConnection } from "../support/clients/raw-http.ts";
import { EntranceNoise, parseRoutes, type Target } from "../support/hostile/entrances.ts";
import { NoiseRun, sendNoisyMails } from "../support/hostile/run-noise.ts";
import { seedFor } from "../support/random.ts";
import { type Role, tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { loggedErrors, type World, world } from "../support/world.ts";

// Short versions of `npm run survive`, and regression tests for its findings.

const getPort = (the: World) => Number(new URL(the.url).port);
const openSession = (the: World, role: Role) =>
  beginSession((text, values) => the.sql(text, values), the.service.oauth.secret, role, the.clock.now());

describe("noise", () => {
  const seed = seedFor("noise");
  let the: World;
  let target: Target;
  beforeAll(async () => {
    the = await world({ env: { MAIL_PORT: "0", MAIL_PER_HOUR: "100000" } });
    const { engine, routes, app } = the.service;
    const roles = ["administrator", "specialist", "requester", "stranger"] as const;
    target = {
      types: engine.types,
      apiRoutes: routes,
      otherRoutes: parseRoutes(app.printRoutes({ commonPrefix: false })).filter(({ path }) => !path.startsWith("/v1")),
      callers: roles.map((role) => ({
        token: tokenFor(role),
        account: role === "stranger" ? "stranger" : "widget-it",
      })),
      sessions: [await openSession(the, "specialist"), await openSession(the, "administrator")],
      accounts: ["widget-it", "widget", "stranger"],
    };
    assert.ok(target.otherRoutes.filter(({ path }) => path.startsWith("/session-api/")).length > 30);
  });

  test("CV32: over all entrances gets no 5xx and logs no error", async () => {
    const source = new EntranceNoise(seed, target);
    const [{ sent, complaints, byEntrance }, codes] = await Promise.all([
      new NoiseRun(source, getPort(the), 2000).run(6),
      sendNoisyMails(new EntranceNoise(seed + 1, target), the.service.mailListener?.port ?? 0, 40, 2),
    ]);
    // This test doesn't need the built pages.
    const found = [...complaints].filter(([what]) => !/hasn(?:'|&#39;)t been built|: 503 $/.test(what));
    assert.deepEqual(found, [], `seed ${seed}`);
    assert.deepEqual(loggedErrors(the.log), [], `seed ${seed}`);
    assert.equal(sent, 2000);
    assert.equal(byEntrance.size, 10);
    assert.ok((codes.get("354") ?? 0) > 10, "emails were accepted");
  });

  test("CV32: every parameter of every path outside the API may be unstorable", async () => {
    const { cookie, csrf } = target.sessions[1] as Target["sessions"][number];
    const headers = [
      ["Cookie", cookie],
      ["X-CSRF-Token", csrf],
    ] as const;
    const wire = new RawConnection(getPort(the));
    const failures: string[] = [];
    for (const { method, path } of target.otherRoutes.filter((route) => route.path.includes(":")))
      for (const name of path.match(/:\w+/g) ?? [])
        for (const value of ["a%00b", "%ed%a0%80", "%ff"]) {
          const filled = path.replace(name, value).replace(":account", "widget-it").replace(/:\w+/g, "1");
          const bytes = buildRawRequest(method, `${filled}?code=${value}&after=${value}&before=${value}`, headers);
          const { status } = await wire.send(bytes, method);
          if (status >= 500 || status === 0) failures.push(`${method} ${filled}: ${status}`);
        }
    wire.close();
    assert.deepEqual(failures, []);
  });
});

describe("a client that keeps calling", () => {
  let the: World;
  beforeAll(async () => {
    the = await world({ env: { ADDRESS_RATE: "600/10" } });
  });
  const getAdmission = () => the.service.api.admission.admission;

  test("may try a hundred unknown tokens and must then wait; a client with a known token needn't", async () => {
    assert.equal((await the.as("specialist").get("/me")).status, 200);
    const ask = async (n: number) => (await the.withToken(`${n}x`.padEnd(112, "q")).get("/me")).status;
    const statuses = await Promise.all(Array.from({ length: 300 }, (_, n) => ask(n)));
    assert.deepEqual([...new Set(statuses)].sort(), [401, 429]);
    assert.ok(statuses.filter((status) => status === 401).length >= 100);
    await the.sql("NOTIFY access_changed"); // empties the token cache
    assert.equal((await the.as("specialist").get("/me")).status, 200);
  });

  test("is counted as a person at the session API, whatever its address", async () => {
    const { cookie } = await openSession(the, "specialist");
    const { cookie: other } = await openSession(the, "administrator");
    const ask = (own: string) => fetch(`${the.url}/session-api/me`, { headers: { Cookie: own } });
    const party = getAdmission().getPerson(3);
    Object.assign(party, { allowance: -1000, refilledAt: performance.now() });
    const refused = await ask(cookie);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal((await ask(other)).status, 200);
    party.allowance = 600;
    assert.equal((await ask(cookie)).status, 200);
  });

  test("gets its refusals delayed, at different times", async () => {
    const party = getAdmission().getAddress("127.0.0.1");
    const refusals = the.service.api.admission.refusals.getAddress("127.0.0.1");
    // Far below zero, so no call is prompt, however slowly the machine sends them.
    const spent = { allowance: -10_000, refilledAt: performance.now() };
    Object.assign(party, spent);
    Object.assign(refusals, spent);
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const started = performance.now();
        const { status } = await fetch(`${the.url}/sign_in`);
        return { status, took: performance.now() - started };
      }),
    );
    party.allowance = 600;
    refusals.allowance = 20;
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([429]));
    const times = answers.map(({ took }) => took);
    assert.ok(Math.min(...times) >= 495, "each of them is delayed");
    assert.ok(Math.max(...times) - Math.min(...times) > 100, "by different times");
    assert.equal(party.calls, 0, "and doesn't count as in progress");
  });

  test("is served one call at a time, however many it pipelines", async () => {
    const get = (path: string) => buildRawRequest("GET", path, [["Authorization", `Bearer ${tokenFor("specialist")}`]]);
    const wire = new RawConnection(getPort(the));
    let most = 0;
    const { admission } = the.service.api;
    const admit = admission.admit.bind(admission);
    admission.admit = (...args) => {
      admit(...args);
      most = Math.max(most, getAdmission().getAddress("127.0.0.1").calls);
    };
    const replies = await wire.exchange(Buffer.concat(Array(200).fill(get("/v1/me"))), Array(200).fill("GET"));
    admission.admit = admit;
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(most, 1);
    wire.close();
    const flood = Buffer.concat(Array(5000).fill(Buffer.from("GET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n")));
    await exchangeUntilClose(getPort(the), flood); // returns only when the server closes the connection
  });

  test("opens no stream that it doesn't read", async () => {
    const { cookie } = await openSession(the, "specialist");
    const path = `${the.url}/session-api/accounts/widget-it/stream`;
    assert.equal((await fetch(path, { method: "HEAD", headers: { Cookie: cookie } })).status, 404);
  });
});

test("a body may take long as long as it makes progress", async () => {
  const limits = { connectionsPerAddress: 0, callsPerAddress: 0, callsPerPerson: 0, bytes: 0, bytesPerAddress: 0 };
  const app = Fastify();
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  app.post("/", () => new Promise(() => {}));
  app.post("/refused", async (_request, reply) => reply.code(429).send());
  const watch = new ConnectionWatch(new Admission({ ...limits, rate: null }), 20, () => false);
  watch.attach(app.server);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const upload = (path: string, size: number) => {
    const socket = connect(port, "127.0.0.1")
      .on("error", () => {})
      .resume();
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: x/y\r\nContent-Length: 1000000\r\n\r\n`);
    socket.write("x".repeat(size));
    return socket;
  };
  const [fast, slow, refused] = [upload("/", 300_000), upload("/", 3000), upload("/refused", 3000)];
  const sockets = new Set<{ bytesRead: number; destroyed: boolean }>();
  app.server.on("request", ({ socket }) => sockets.add(socket));
  await until(() => sockets.size === 3 && [...sockets].some(({ bytesRead }) => bytesRead >= 300_000));
  const now = performance.now();
  watch.look(now + 30_000); // little progress is enough within the first minute
  assert.deepEqual(
    [fast, slow, refused].map((socket) => socket.closed),
    [false, false, false],
  );
  fast.write("x".repeat(100_000));
  slow.write("x".repeat(3000));
  refused.write("x".repeat(3000));
  await until(() => [...sockets].some(({ bytesRead }) => bytesRead >= 400_000));
  watch.look(now + 70_000);
  await until(() => slow.closed && refused.closed);
  assert.equal(fast.closed, false);
  fast.destroy();
  await app.close();
});
