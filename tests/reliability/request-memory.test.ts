import assert from "node:assert/strict";
import { connect } from "node:net";
import { beforeAll, describe, test } from "vitest";
import { buildRawRequest, RawConnection } from "../support/clients/raw-http.ts";
import { signInClient } from "../support/clients/session-client.ts";
import { tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { loggedErrors, type World, world } from "../support/world.ts";

// Everything that a client makes the server keep in memory counts toward one budget: bodies, pipelined calls, combined reads.

const megabyte = 1_048_576;
const getPort = (the: World) => Number(new URL(the.url).port);
const getAddress = (the: World) => the.service.api.admission.admission.getAddress("127.0.0.1");
const json: [string, string] = ["Content-Type", "application/json"];
const credentials: [string, string][] = [
  ["Authorization", `Bearer ${tokenFor("administrator")}`],
  ["account", "widget-it"],
];

describe("bodies that never end", () => {
  let the: World;
  beforeAll(async () => {
    the = await world({ env: { MEMORY_FOR_CALLS: "16" } });
  });

  test.each([
    ["/session-api/reads", "the route of combined reads", 131_072],
    ["/session-api/session", "another route of the session", megabyte],
    ["/v1/requests", "the REST API", megabyte],
    ["/graphql", "GraphQL", megabyte],
    ["/nothing", "no route", megabyte],
  ])("count toward the memory of their address at %s, %s", async (path, _name, bodyLimit) => {
    const length: [string, string] = ["Content-Length", String(bodyLimit)];
    const head = buildRawRequest("POST", path, [...credentials, json, length]);
    const room = (4 * megabyte) / bodyLimit;
    const wires = Array.from({ length: room + 10 }, () => new RawConnection(getPort(the)));
    const refused: number[] = [];
    for (const wire of wires)
      void wire.send(Buffer.concat([head, Buffer.alloc(1000, " ")]), "POST").then(({ status }) => refused.push(status));
    await until(() => refused.length === 10);
    assert.deepEqual(new Set(refused), new Set([429]));
    assert.equal(getAddress(the).bytes, 4 * megabyte);
    for (const wire of wires) wire.close();
    await until(() => getAddress(the).bytes === 0 && getAddress(the).calls === 0);
  });

  test("of combined reads are limited to the size of their paths", async () => {
    const large = JSON.stringify({ paths: ["/v1/me"], more: "x".repeat(200_000) });
    const response = await fetch(`${the.url}/session-api/reads`, { method: "POST", body: large });
    assert.equal(response.status, 413);
  });
});

describe("pipelined calls", () => {
  let the: World;
  beforeAll(async () => {
    the = await world({ env: { MEMORY_FOR_CALLS: "1" } });
  });
  const request = buildRawRequest("GET", "/v1/me", credentials);
  const repeat = (count: number) => Buffer.concat(Array<Buffer>(count).fill(request));

  test("get their responses in order, also when there are many", async () => {
    const replies = await new RawConnection(getPort(the)).exchange(repeat(40), Array<string>(40).fill("GET"));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.equal(getAddress(the).bytes, 0);
  });

  test("close the connection when there are more than a client has reason to send", async () => {
    const sockets = Array.from({ length: 40 }, () => connect(getPort(the), "127.0.0.1").on("error", () => {}));
    let [closed, answers] = [0, 0];
    for (const socket of sockets) {
      socket.on("data", (chunk: Buffer) => {
        answers += chunk.toString("latin1").split("HTTP/1.1 ").length - 1;
      });
      socket.on("close", () => closed++);
      socket.write(Buffer.concat(Array<Buffer>(900).fill(Buffer.from("GET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n"))));
    }
    await until(() => closed === sockets.length || answers > 40 * 100);
    assert.equal(closed, sockets.length);
    for (const socket of sockets) socket.destroy();
    await until(() => getAddress(the).bytes === 0 && getAddress(the).calls === 0);
    assert.equal((await the.as("administrator").get("/me")).status, 200);
    assert.deepEqual(loggedErrors(the.log), []);
  });

  test("count toward the memory of their address, whatever the number of connections", async () => {
    let peak = 0;
    const { admission } = the.service.api.admission;
    const { addBytes } = admission;
    admission.addBytes = function count(...given) {
      addBytes.apply(this, given);
      peak = Math.max(peak, getAddress(the).bytes);
    };
    const sockets = Array.from({ length: 60 }, () => connect(getPort(the), "127.0.0.1").on("error", () => {}));
    let [closed, answers] = [0, 0];
    for (const socket of sockets) {
      socket.on("data", (chunk: Buffer) => {
        answers += chunk.toString("latin1").split("HTTP/1.1 ").length - 1;
      });
      socket.on("close", () => closed++);
      socket.write(repeat(30));
    }
    // 60 connections with 29 queued calls each would take 7 MB; an address may use a quarter of one megabyte.
    await until(() => closed * 30 + answers >= 60 * 30 && getAddress(the).bytes === 0);
    for (const socket of sockets) socket.destroy();
    assert.ok(closed > 0);
    assert.ok(peak > 0 && peak <= megabyte / 4, `${peak} bytes`);
  });
});

test("combined reads count as one call of their address and release their memory", async () => {
  const the = await world({ env: { CALLS_PER_ADDRESS: "2" } });
  const session = await signInClient(the, "specialist");
  const { status, body } = await session.post("/reads", { paths: ["/v1/enums"] });
  assert.deepEqual([status, body[0].status], [200, 200]);
  await until(() => getAddress(the).bytes === 0 && getAddress(the).calls === 0);
});
