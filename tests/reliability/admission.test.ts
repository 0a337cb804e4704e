import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import Fastify from "fastify";
import { beforeAll, describe, test } from "vitest";
import { ConnectionWatch } from "../../server/api/http/admission/connection-watch.ts";
import { bodyLimits, scanJson } from "../../server/api/http/json-scan.ts";
import { StaticContent, sendStatic } from "../../server/api/http/static-content.ts";
import { Admission } from "../../server/base/admission.ts";
import type { Change } from "../../server/engine/rules.ts";
import { buildRawRequest, RawConnection, type RawReply } from "../support/clients/raw-http.ts";
import { measureProcessorTime } from "../support/processes/processor-time.ts";
import { specimenRules } from "../support/records/specimen.ts";
import { type Role, tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { certificateFile } from "../support/webhooks/receiver.ts";
import { loggedErrors, type World, world } from "../support/world.ts";

// A client can't slow down others by what it sends or doesn't read.

const getPort = (the: World) => Number(new URL(the.url).port);
const authorization: [string, string][] = [
  ["Authorization", `Bearer ${tokenFor("administrator")}`],
  ["account", "widget-it"],
];
const json: [string, string] = ["Content-Type", "application/json"];
const countConnections = (the: World) =>
  new Promise<number>((resolve, reject) =>
    the.service.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
const manyMembers = (count: number) =>
  `{${Array.from({ length: count }, (_, n) => `"m${n.toString(36)}":1`).join(",")}}`;

describe("large bodies", () => {
  let the: World;
  beforeAll(async () => {
    the = await world();
  });
  const post = (path: string, body: string, type = "application/json") =>
    fetch(the.url + path, { method: "POST", body, headers: { "Content-Type": type } });

  test("measuring 70,000 members takes a fraction of the time that parsing takes", async () => {
    const bodies = [manyMembers(70_000), `[${"{},".repeat(300_000)}{}]`, `"${"\\u0041".repeat(150_000)}"`];
    const took = await measureProcessorTime(() => {
      for (const body of bodies)
        for (let n = 0; n < 20; n++) {
          try {
            scanJson(body, bodyLimits);
          } catch {}
        }
    });
    assert.ok(took < 600, `60 bodies took ${took} ms`);
  });

  test("the token endpoint accepts 64 KB and few parameters", async () => {
    for (const [body, type] of [
      [manyMembers(70_000), "application/json"],
      [manyMembers(6000), "application/json"],
      [`{"a":${"[".repeat(20)}${"]".repeat(20)}}`, "application/json"],
      ['{"grant_type":"client_credentials","grant_type":"refresh_token"}', "application/json"],
      ["a=b&".repeat(10_000), "application/x-www-form-urlencoded"],
      ["a=".padEnd(70_000, "x"), "application/x-www-form-urlencoded"],
    ] as const)
      for (const path of ["/oauth/token", "/oauth/revoke"]) {
        const response = await post(path, body, type);
        assert.equal(response.status, 400, body.slice(0, 60));
        assert.equal(((await response.json()) as { error: string }).error, "invalid_request");
      }
  });

  test("a page accepts forms of 64 KB with a hundred fields", async () => {
    const form = "application/x-www-form-urlencoded";
    assert.equal((await post("/sign_in", "a=".padEnd(70_000, "x"), form)).status, 413);
    assert.equal((await post("/sign_in", "a=b&".repeat(10_000), form)).status, 400);
  });
});

describe("a client with many pending calls", () => {
  const release = Promise.withResolvers<void>();
  let held = 0;
  const rules = {
    specimen: {
      ...specimenRules.specimen,
      beforeSave: async ({ after }: Change) => {
        if (after.subject !== "hold") return;
        held++;
        await release.promise;
      },
    },
  };
  let the: World;
  beforeAll(async () => {
    the = await world({
      rules,
      env: {
        ...{ TRUST_PROXY: "127.0.0.1", PUBLIC_URL: "https://desk.example", CALLS_PER_ADDRESS: "3" },
        ...{ CALLS_PER_PERSON: "2", MEMORY_FOR_CALLS: "1", ADDRESS_RATE: "5/3600" },
      },
    });
  });
  const getParty = (address: string) => the.service.api.admission.admission.getAddress(address);
  /** Headers of the proxy for a client with this address. */
  const from = (address: string) => ({ "X-Forwarded-For": address, "X-Forwarded-Proto": "https" });

  test("gets 429 at the limits of its person and address, while others and health checks are served", async () => {
    const here = from("198.51.100.1");
    const hold = () => the.as("administrator", here).post("/specimens", { subject: "hold" });
    const holding = [hold(), hold()];
    await until(() => held === 2);
    const third = await the.as("administrator", here).get("/me");
    assert.deepEqual([third.status, third.headers.get("retry-after")], [429, "1"]);
    assert.equal(third.body.message, "Too Many Requests");
    assert.ok(third.headers.get("x-ratelimit-limit"));
    assert.equal((await the.as("administrator", from("198.51.100.2")).get("/me")).status, 429, "the same person");
    assert.equal((await the.as("specialist", here).get("/me")).status, 200, "another person");
    const wire = new RawConnection(getPort(the));
    const unfinished: [string, string][] = [...Object.entries(here), json, ["Content-Length", "9"]];
    void wire.send(buildRawRequest("POST", "/oauth/token", unfinished), "POST");
    await until(() => getParty("198.51.100.1").calls === 3);
    assert.equal((await the.as("auditor", here).get("/me")).status, 429);
    assert.equal((await fetch(`${the.url}/v1/enums`, { headers: here })).status, 429);
    assert.equal((await fetch(`${the.url}/health/live`, { headers: here })).status, 200);
    assert.equal((await the.as("auditor", from("198.51.100.2")).get("/me")).status, 200, "another address");
    release.resolve();
    wire.close();
    for (const reply of await Promise.all(holding)) assert.equal(reply.status, 200);
    assert.equal((await the.as("administrator", here).get("/me")).status, 200);
  });

  test("gets 429 for too many pages and tokens in a short time; the REST API has its own limit", async () => {
    const here = from("198.51.100.3");
    const get = async (path: string) => (await fetch(the.url + path, { headers: here })).status;
    for (let n = 0; n < 4; n++) assert.equal(await get("/sign_in"), 200);
    for (let n = 0; n < 5; n++) assert.equal(await get("/docs/api/page.css"), 200, "a fifth of a page");
    const token = await fetch(`${the.url}/oauth/token`, { method: "POST", headers: here, body: new URLSearchParams() });
    assert.equal(token.status, 429);
    assert.match(token.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(((await token.json()) as { error: string }).error, "temporarily_unavailable");
    const page = await fetch(`${the.url}/sign_in`, { headers: here });
    assert.equal(page.status, 429);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    for (let n = 0; n < 10; n++) assert.equal(await get("/v1/enums"), 200);
    assert.equal((await fetch(`${the.url}/sign_in`, { headers: from("198.51.100.4") })).status, 200);
  });

  test("gets 429 for bodies beyond its memory share, and 503 when all of the memory is in use", async () => {
    const begin = (address: string, role: Role) => {
      const wire = new RawConnection(getPort(the));
      const headers: [string, string][] = [
        ["Authorization", `Bearer ${tokenFor(role)}`],
        json,
        ...Object.entries(from(address)),
      ];
      const length: [string, string] = ["Content-Length", "200000"];
      const head = buildRawRequest("POST", "/v1/specimens", [...headers, length]);
      return { wire, reply: wire.send(head, "POST") };
    };
    const roles = ["administrator", "specialist", "auditor", "manager", "requester"] as const;
    const first = roles.map((role, n) => begin(`203.0.113.${n + 1}`, role));
    const settled: RawReply[] = [];
    for (const { reply } of first) void reply.then((answer) => settled.push(answer));
    await until(() => first.every((_, n) => getParty(`203.0.113.${n + 1}`).bytes === 200_000));
    const second = await begin("203.0.113.1", "administrator").reply;
    assert.equal(second.status, 429, second.text);
    const other = await begin("203.0.113.9", "provider").reply;
    assert.equal(other.status, 503, other.text);
    assert.match(other.headers.get("retry-after") ?? "", /^\d+$/);
    assert.deepEqual(settled, []);
    for (const { wire } of first) wire.close();
    await until(
      async () => (await the.as("auditor", from("203.0.113.9")).post("/specimens", " ".repeat(2e5))).status < 429,
    );
  });
});

describe("a client that stalls", () => {
  const env = { STALL_SECONDS: "1", CONNECTIONS_PER_ADDRESS: "170" };
  let the: World;
  beforeAll(async () => {
    the = await world({ env });
  });
  /** 4.7 MB, sent in chunks: more than the kernel buffers hold. */
  const content = new StaticContent("text/plain", Buffer.alloc(4_700_000, "x"));
  const open = (port: number, isEncrypted: boolean): Socket =>
    isEncrypted ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }) : connectPlain(port, "127.0.0.1");

  test.each([false, true])(
    "unread responses take little memory, and their connections are closed (TLS: %s)",
    async (isEncrypted) => {
      const [cert, key] = ["receiver.pem", "receiver.key"].map((name) => readFileSync(certificateFile(name)));
      const app = Fastify(isEncrypted ? ({ https: { cert, key } } as object) : {});
      app.get("/", (request, reply) => sendStatic(request, reply, content));
      const none = { connectionsPerAddress: 0, callsPerAddress: 0, callsPerPerson: 0, bytes: 0, bytesPerAddress: 0 };
      new ConnectionWatch(new Admission({ ...none, rate: null }), 1, () => false).attach(app.server);
      await app.listen({ port: 0, host: "127.0.0.1" });
      const { port } = app.server.address() as AddressInfo;
      const before = process.memoryUsage().arrayBuffers;
      let answered = 0;
      const sockets = Array.from({ length: 100 }, () => {
        const socket = open(port, isEncrypted);
        socket.on("error", () => {}).pause();
        socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n", () => answered++);
        return socket;
      });
      let peak = 0;
      const count = () => new Promise<number>((resolve) => app.server.getConnections((_, open) => resolve(open)));
      await until(async () => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
        return answered === sockets.length && (await count()) === 0;
      });
      assert.ok(peak < 100 * 1_000_000, `${peak} bytes for 100 answers of ${content.bytes.length}`);
      for (const socket of sockets) socket.destroy();
      await app.close();
    },
  );

  test("connections with an unfinished body are closed, and others are served", async () => {
    const head = authorization.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const closed = Array.from({ length: 20 }, (_, n) => {
      const path = ["/v1/specimens", "/oauth/token", "/sign_in", "/session-api/session"][n % 4];
      const socket = connectPlain(getPort(the), "127.0.0.1").on("error", () => {});
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${head}`);
      socket.write(n % 2 === 0 ? "Content-Length: 100\r\n\r\n{" : "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");
      return new Promise<void>((resolve) => socket.resume().on("close", () => resolve()));
    });
    assert.equal((await the.as("administrator").get("/me")).status, 200);
    await Promise.all(closed);
    assert.deepEqual(loggedErrors(the.log), []);
  });

  test("connections beyond an address's limit are closed", async () => {
    const sockets = Array.from({ length: 180 }, () =>
      connectPlain(getPort(the), "127.0.0.1")
        .on("error", () => {})
        .resume(),
    );
    await until(() => sockets.filter((socket) => socket.closed).length >= 10);
    assert.ok(sockets.filter((socket) => socket.closed).length < 60);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await countConnections(the)) < 20);
    assert.equal((await the.as("administrator").get("/me")).status, 200);
  });
});

describe("HTTPS", () => {
  const paths = ["/v1/enums", "/v1/nothing", "/sign_in", "/health/live", "/oauth/token", "/docs/api"];
  const readHeader = async (the: World) =>
    new Set(
      await Promise.all(
        paths.map(async (path) => (await fetch(the.url + path)).headers.get("strict-transport-security")),
      ),
    );

  test("browsers get Strict-Transport-Security if the public address uses HTTPS", async () => {
    const secure = await world({ env: { PUBLIC_URL: "https://desk.example" } });
    assert.deepEqual([...(await readHeader(secure))], ["max-age=31536000"]);
    assert.deepEqual([...(await readHeader(await world()))], [null]);
  });
});

describe("an interrupted upload", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const part = (name: string, value: Buffer | string, more = "") =>
    Buffer.concat([
      Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from("\r\n"),
    ]);
  const file = (name: string, content: Buffer) => part(name, content, '; filename="a.png"\r\nContent-Type: image/png');
  const end = Buffer.from("--edge--\r\n");
  /** Every length within the last 200 bytes, and every 41st of the others. */
  const cuts = (size: number) =>
    Array.from({ length: size }, (_, at) => at).filter((at) => at >= size - 200 || at % 41 === 0);

  test("is a 4xx, wherever it is interrupted and for every kind of upload", async () => {
    const the = await world();
    const wire = new RawConnection(getPort(the));
    const send = (path: string, body: Buffer) => {
      const type: [string, string] = ["Content-Type", "multipart/form-data; boundary=edge"];
      return wire.send(buildRawRequest("POST", path, [...authorization, type], body), "POST");
    };
    const { body: storage } = await the.as("administrator").get("/attachments/storage");
    const grant = Object.entries(storage.local as Record<string, string>).map(([name, value]) => part(name, value));
    const uploads: [string, Buffer][] = [
      ["/v1/people/1/avatar", Buffer.concat([file("avatar", png), end])],
      ["/v1/attachments", Buffer.concat([...grant, file("file", png), end])],
      ["/v1/import", Buffer.concat([part("type", "people"), file("file", Buffer.from("Name\r\nX\r\n")), end])],
      ["/v1/specimens", Buffer.concat([part("subject", "a"), part("names[]", "b"), end])],
    ];
    for (const [path, whole] of uploads) {
      const { status: intact, text } = await send(path, whole);
      assert.ok(intact === 200 || intact === 201, `${path}: ${text}`);
      // The form is complete after the two closing dashes.
      for (const size of cuts(whole.length - 2)) {
        const { status } = await send(path, whole.subarray(0, size));
        assert.ok(status >= 400 && status < 500, `${path} cut to ${size} of ${whole.length}: ${status}`);
      }
    }
    wire.close();
    assert.deepEqual(loggedErrors(the.log), []);
  });
});
