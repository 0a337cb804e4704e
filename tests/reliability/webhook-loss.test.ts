import assert from "node:assert/strict";
import { beforeAll, test } from "vitest";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import { randomNumbers } from "../support/random.ts";
import { atScale } from "../support/scale.ts";
import { tokenFor } from "../support/seed.ts";
import { longestTest, until } from "../support/waiting.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";

// Every committed change is delivered at least once and nothing else is, in commit order, whatever dies.

const changes = atScale(160, 2000);
const kills = atScale(4, 20);
const random = randomNumbers("webhook loss");
let the: ServerProcesses;
let there: Receiver;
const headers = {
  Authorization: `Bearer ${tokenFor("administrator")}`,
  account: "widget-it",
  "Content-Type": "application/json",
};

beforeAll(async () => {
  the = await serverProcesses({ WEBHOOK_ALLOW: "127.0.0.0/8" });
  there = await startReceiver();
});

async function createTeams(count: number): Promise<number[]> {
  const { rows } = await the.sql.query<{ id: number }>(
    "INSERT INTO teams (account_id, name, created_at, updated_at) SELECT 'widget-it', 'Loss ' || n || ' ' || random(), now(), now() FROM generate_series(1, $1::integer) n RETURNING id",
    [count],
  );
  return rows.map(({ id }) => id);
}
async function createWebhook(path: string): Promise<void> {
  await the.sql.query("DELETE FROM webhooks");
  await the.sql.query(
    "INSERT INTO webhooks (account_id, name, event, uri, receiver, verified, created_at, updated_at) VALUES ('widget-it', 'Loss', 'team.update', $1, $2, true, now(), now())",
    [`${there.url}${path}`, there.url],
  );
}
const changeTeam = async (base: string, team: number, remarks: string): Promise<boolean> => {
  const reply = await fetch(`${base}/teams/${team}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify({ remarks }),
  }).catch(() => null);
  return reply !== null && reply.status === 200 && (await reply.text().catch(() => null)) !== null;
};
const loadCommittedChanges = async () => {
  const { rows } = await the.sql.query<{ id: number }>(
    "SELECT (payload ->> 'audit_line_id')::integer AS id FROM events WHERE event = 'team.update'",
  );
  return new Set(rows.map(({ id }) => id));
};

/** Fails a share of the first attempts in various ways and delays others. */
function failRandomly(share: number): Map<number, number[]> {
  const accepted = new Map<number, number[]>();
  const tried = new Set<string>();
  there.answer = async ({ headers: sent, body }, response) => {
    const delivery = sent["x-4me-delivery"] as string;
    const mood = tried.has(delivery) ? 1 : random();
    tried.add(delivery);
    if (mood < share / 2) return void response.writeHead(503).end();
    if (mood < share) return void response.destroy();
    if (mood < share * 1.2) await new Promise((next) => setTimeout(next, random() * 100));
    const { object_id: team, payload } = body;
    accepted.set(team, [...(accepted.get(team) ?? []), payload.audit_line_id]);
    response.end();
  };
  return accepted;
}

test(`WH22: ${changes} changes, the server killed ${kills} times and a receiver that fails at random: no message is lost or invented`, async () => {
  await createWebhook("/loss");
  const ids = await createTeams(200);
  const accepted = failRandomly(0.15);
  let made = 0;
  let server: ServerProcess | null = null;
  for (let round = 0; round <= kills; round++) {
    server = await the.start();
    const { base } = server;
    // Kills the server sometimes during the changes, sometimes while messages are still being delivered.
    const enough = round === kills ? changes : Math.floor((changes * (round + random() * 0.5)) / kills) + 20;
    const writer = async () => {
      while (made < enough && server !== null && server.base === base) {
        const n = made++;
        await changeTeam(base, ids[n % ids.length] as number, `change ${n} ${round}`);
      }
    };
    const writing = Promise.all(Array.from({ length: 6 }, writer));
    if (round < kills && round % 2 === 0) await until(() => made >= enough - 10);
    else await writing;
    if (round === kills) break;
    await new Promise((next) => setTimeout(next, random() * 60));
    const victim: ServerProcess = server;
    server = null;
    await victim.kill();
    await writing;
  }
  const wanted = await loadCommittedChanges();
  assert.ok(wanted.size > changes * 0.9, `${wanted.size} changes were made`);
  const listDelivered = () => new Set([...accepted.values()].flat());
  await until(() => listDelivered().size >= wanted.size, {
    what: () => `${wanted.size - listDelivered().size} of ${wanted.size} are lost`,
    longest: longestTest,
  });
  await until(
    async () =>
      (await the.sql.query("SELECT 1 FROM webhook_deliveries WHERE state = 'waiting' LIMIT 1")).rows.length === 0,
    { longest: longestTest },
  );
  assert.deepEqual(listDelivered(), await loadCommittedChanges());
  await server?.kill();
});

test("two servers and a randomly failing receiver: a record's messages arrive in the order of its changes", async () => {
  await the.sql.query("DELETE FROM events");
  await the.sql.query("DELETE FROM webhook_deliveries");
  await createWebhook("/order");
  const ids = await createTeams(12);
  const each = atScale(10, 20);
  const accepted = failRandomly(0.08);
  const servers = await Promise.all([the.start(), the.start()]);
  await Promise.all(
    ids.map(async (team, index) => {
      for (let n = 0; n < each; n++)
        // On a busy machine, a connection may take longer than the server's timeout. Repeating the call makes no second change.
        await until(() => changeTeam(servers[(n + index) % 2]?.base as string, team, `ordered ${n}`));
    }),
  );
  const wanted = await loadCommittedChanges();
  assert.equal(wanted.size, ids.length * each);
  await until(() => new Set([...accepted.values()].flat()).size >= wanted.size, { longest: longestTest });
  for (const [team, lines] of accepted) {
    // A message whose response was lost may arrive twice; the first arrivals are in order.
    const firsts = [...new Set(lines)];
    assert.deepEqual(
      firsts,
      [...firsts].sort((one, other) => one - other),
      `team ${team}`,
    );
  }
  const { rows } = await the.sql.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM webhook_attempts WHERE error IS NOT NULL",
  );
  assert.ok((rows[0]?.n ?? 0) > 0, "some failed");
});
