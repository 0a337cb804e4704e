import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, test } from "vitest";
import { atFileEnd } from "../support/cleanup.ts";
import { beginSession } from "../support/clients/begin-session.ts";
import { EventStream } from "../support/clients/event-stream.ts";
import { runCommandHere } from "../support/processes/command-line.ts";
import { ProcessDrill } from "../support/processes/failure-drill.ts";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import { randomNumbers } from "../support/random.ts";
import { atScale } from "../support/scale.ts";
import { people, type Role, tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, createClient } from "../support/world.ts";

// Four processes that behave like four machines: each has its own address and data folder, and they share only the database.
// A client's calls may go to a different process each time.

const rateLimit = 120;
const changes = atScale(80, 10_000);
let the: ServerProcesses;
let servers: readonly ServerProcess[];
let receiver: Receiver;
let secret: string;

const as = (role: Role, server: number): Client =>
  createClient((servers[server] as ServerProcess).base, {
    Authorization: `Bearer ${tokenFor(role)}`,
    account: people[role].account,
  });
const getUrl = (server: number): string => (servers[server] as ServerProcess).base.replace("/v1", "");

beforeAll(async () => {
  the = await serverProcesses({ WEBHOOK_ALLOW: "127.0.0.0/8", RATE_LIMIT: String(rateLimit + changes) });
  receiver = await startReceiver();
  const start = (number: number) => {
    const data = join(the.env.DATA_DIR as string, `machine-${number}`);
    mkdirSync(data);
    return the.start({ HOST: `127.0.0.${number + 1}`, DATA_DIR: data });
  };
  servers = await Promise.all([1, 2, 3, 4].map(start));
  const { rows } = await the.sql.query<{ value: string }>("SELECT value FROM instance_facts WHERE name = 'secret'");
  secret = rows[0]?.value as string;
});

const beginBrowserSession = (role: Role) =>
  beginSession((text, values) => the.sql.query(text, values), secret, role, new Date());

async function openStream(server: number, role: Role, topics: string): Promise<EventStream> {
  const { cookie } = await beginBrowserSession(role);
  const path = `/accounts/widget-it/stream?topics=${topics}`;
  const stream = await EventStream.open({ url: getUrl(server) }, cookie, path);
  atFileEnd(() => stream.close());
  assert.equal(stream.status, 200);
  await until(() => stream.events.length > 0);
  return stream;
}

test("a change made through one process is published and read through all others, and so is presence", async () => {
  const { body: request, status } = await as("specialist", 0).post("/requests", {
    ...{ subject: "Shared", category: "rfi", team: 1 },
  });
  assert.equal(status, 201);
  for (const server of [1, 2, 3])
    assert.equal((await as("specialist", server).get(`/requests/${request.id}`)).body.subject, "Shared");
  const streams = await Promise.all(
    [1, 2, 3].map((server) => openStream(server, "manager", `record/request/${request.id}`)),
  );
  assert.equal((await as("specialist", 0).patch(`/requests/${request.id}`, { subject: "Heard" })).status, 200);
  for (const stream of streams)
    await stream.next("change", ({ id, fields }) => id === request.id && fields.includes("subject"));
  const { cookie, csrf } = await beginBrowserSession("specialist");
  const browser = createClient(`${getUrl(0)}/session-api`, { Cookie: cookie, "X-CSRF-Token": csrf });
  const body = { type: "request", id: request.id, doing: "writing" };
  assert.equal((await browser.post("/accounts/widget-it/presence", body)).status, 204);
  for (const stream of streams)
    await stream.next("presence", ({ people: present }) =>
      present.some(({ doing }: { doing: string }) => doing === "writing"),
    );
});

test("a timer fires once, and a burst of changes sends each of its messages once", async () => {
  await the.sql.query(
    "INSERT INTO webhooks (account_id, name, event, uri, receiver, verified, created_at, updated_at) VALUES ('widget-it', 'Storm', 'team.update', $1, $2, true, now(), now())",
    [`${receiver.url}/storm`, receiver.url],
  );
  const { body: request } = await as("specialist", 0).post("/requests", {
    subject: "Wait",
    category: "incident",
    team: 1,
  });
  const waiting = { status: "waiting_for", waiting_until: new Date(Date.now() + 1500).toISOString() };
  assert.equal((await as("specialist", 1).patch(`/requests/${request.id}`, waiting)).status, 200);

  const { rows: teams } = await the.sql.query<{ id: number }>(
    "INSERT INTO teams (account_id, name, created_at, updated_at) SELECT 'widget-it', 'Storm ' || n, now(), now() FROM generate_series(1, 8) n RETURNING id",
  );
  let made = 0;
  await Promise.all(
    teams.map(async ({ id }) => {
      while (made < changes) {
        const number = made++;
        const answer = await as("administrator", number % 4).patch(`/teams/${id}`, { remarks: `storm ${number}` });
        assert.equal(answer.status, 200);
      }
    }),
  );
  const { rows } = await the.sql.query<{ line: number }>(
    "SELECT (payload->>'audit_line_id')::integer AS line FROM events WHERE event = 'team.update'",
  );
  const listDeliveredLines = () => receiver.messages.map(({ body }) => body.payload.audit_line_id as number);
  await until(() => new Set(listDeliveredLines()).size >= rows.length, {
    what: () => `${listDeliveredLines().length} of ${rows.length} messages`,
  });
  const isSettled = async () =>
    (await the.sql.query("SELECT 1 FROM webhook_deliveries WHERE state = 'waiting' LIMIT 1")).rows.length === 0;
  await until(isSettled);
  assert.deepEqual(
    listDeliveredLines().sort((one, other) => one - other),
    rows.map(({ line }) => line).sort((one, other) => one - other),
  );

  await until(async () => (await as("specialist", 2).get(`/requests/${request.id}`)).body.status === "assigned");
  const { rows: moves } = await the.sql.query(
    "SELECT 1 FROM audit_lines WHERE audited = 'request' AND record_id = $1 AND changes->'status'->>0 = 'waiting_for'",
    [request.id],
  );
  assert.equal(moves.length, 1);
});

test("doctor reports that machines with separate folders need a common file store", async () => {
  const examine = (own: Record<string, string>) => runCommandHere(["doctor"], { ...the.env, PORT: "1", ...own });
  const folders = [1, 2, 3, 4].map((number) => join(the.env.DATA_DIR as string, `machine-${number}`));
  const reports = await Promise.all(folders.map((folder) => examine({ DATA_DIR: folder })));
  const foreign = /^PROBLEM {2}files: .* is not the folder in which this instance stores its files.* set FILES_URL/m;
  assert.equal(reports.filter(({ code, out }) => code === 1 && foreign.test(out)).length, 3);
  // The first machine has marked its folder, so sharing that folder is fine.
  const shared = reports.findIndex(({ out }) => !foreign.test(out));
  const common = await examine({ DATA_DIR: folders[3] as string, FILES_URL: `file://${folders[shared]}/attachments` });
  assert.doesNotMatch(common.out, foreign);
});

test("together the processes allow as many calls as the limit", async () => {
  const limit = rateLimit + changes;
  const call = async (server: number) => {
    const { status, headers } = await as("manager", server).get("/teams/1");
    return { isAllowed: status === 200, remaining: Number(headers.get("x-ratelimit-remaining")) };
  };
  let allowed = 0;
  // A process that doesn't know of the others yet counts locally and later hands its count over.
  await until(
    async () => {
      const remainders: number[] = [];
      for (const server of [0, 1, 2, 3]) remainders.push((await call(server)).remaining);
      allowed += 4;
      return remainders.every((count, index) => index === 0 || count === (remainders[index - 1] as number) - 1);
    },
    { every: 300 },
  );
  const replies = await Promise.all(
    [0, 1, 2, 3].map(async (server) => {
      let own = 0;
      for (let number = 0; number < limit / 2; number++) if ((await call(server)).isAllowed) own++;
      return own;
    }),
  );
  assert.equal(allowed + replies.reduce((sum, count) => sum + count, 0), limit);
});

test("all processes refuse a person disabled through one of them, within a second", async () => {
  const isKnown = async (server: number) => (await as("auditor", server).get("/me")).status === 200;
  for (const server of [0, 1, 2, 3]) assert.ok(await isKnown(server));
  const disabled = await as("administrator", 0).patch(`/people/${people.auditor.id}`, { disabled: true });
  assert.equal(disabled.status, 200);
  const answered = performance.now();
  for (const server of [0, 1, 2, 3]) await until(async () => !(await isKnown(server)), { every: 10 });
  const seconds = (performance.now() - answered) / 1000;
  process.stdout.write(`refused by all after ${seconds.toFixed(3)} s\n`);
  if (process.env.TEST_SCALE === "full") assert.ok(seconds < 1);
});

// `npm run survive -- --processes 4 --minutes 10 --events 10000` runs the same for longer.
test("one process after another dies while clients write, import, wait and trigger rules: nothing is lost or done twice", async () => {
  const shared = await serverProcesses({ WEBHOOK_ALLOW: "127.0.0.0/8" });
  const data = shared.env.DATA_DIR as string;
  const drill = new ProcessDrill({
    query: async <T extends object>(text: string, values?: unknown[]) =>
      (await shared.sql.query(text, values)).rows as T[],
    start: (number) => {
      mkdirSync(join(data, `machine-${number}`), { recursive: true });
      const own = { HOST: `127.0.0.${number + 2}`, DATA_DIR: join(data, `machine-${number}`) };
      return shared.start({ ...own, FILES_URL: `file://${join(data, "files")}` });
    },
    ...{ processes: 3, clients: 4, importRows: 50, betweenKills: 300 },
    ...{ events: atScale(150, 10_000), milliseconds: atScale(2500, 600_000) },
    random: randomNumbers("deaths of processes"),
  });
  atFileEnd(() => drill.end());
  await drill.prepare();
  const { counts } = await drill.run();
  for (const { what, made, lost, twice, disordered } of counts) {
    assert.ok(made > 0, what);
    assert.deepEqual({ what, lost, twice, disordered }, { what, lost: 0, twice: 0, disordered: 0 });
  }
});
