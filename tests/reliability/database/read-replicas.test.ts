import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { readConfiguration } from "../../../server/base/configuration.ts";
import { createJsonLog } from "../../../server/base/log.ts";
import { migrate } from "../../../server/schema/migrate.ts";
import { assembleService, type Service } from "../../../server/service.ts";
import { DatabasePair, withClient } from "../../support/processes/database-pair.ts";
import { randomNumbers } from "../../support/random.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { seed, startTime, tokenFor } from "../../support/seed.ts";
import { longestReliabilityTest, until } from "../../support/waiting.ts";
import { type Client, createClient, MovableClock } from "../../support/world.ts";

// Three services, each with its own cache, on a primary with a replica. `npm run survive -- --what replicas` makes 100,000
// pairs with separate processes.

const pairs = 240;
const random = randomNumbers("reads after writes");
const folder = realpathSync(createScratchFolder());
const data = mkdtempSync(join(tmpdir(), "steward-replicas-"));
const pair = new DatabasePair(folder);
const services: Service[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  await pair.start({ isSynchronous: false, applyDelay: 10 }); // on one machine the replica would otherwise never lag
  await migrate(pair.primaryUrl);
  await withClient(pair.primaryUrl, (client) => seed(client as never));
  const env = { DATA_DIR: data, RATE_LIMIT: "0", RATE_BURST: "0", DATABASE_REPLICA_URLS: pair.standbyUrl };
  for (let number = 0; number < 3; number++) {
    const service = await assembleService({
      configuration: { ...readConfiguration(env), port: 0 },
      databaseUrl: pair.primaryUrl,
      clock: new MovableClock(startTime),
      log: createJsonLog(() => {}),
    });
    services.push(service);
    const base = `http://127.0.0.1:${await service.start()}/v1`;
    clients.push(createClient(base, { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" }));
  }
}, longestReliabilityTest);

afterAll(async () => {
  await pair.signalStandby("SIGCONT");
  for (const service of services) await service.stop();
  await pair.stop();
  for (const each of [folder, data]) rmSync(each, { recursive: true, force: true });
});

const pickClient = (): Client => clients[Math.floor(random() * clients.length)] as Client;

/** Renames a team through one service and searches for the new name through another. */
async function writeThenRead(team: number, name: string): Promise<void> {
  assert.equal((await pickClient().patch(`/teams/${team}`, { name })).status, 200);
  const { status, body } = await pickClient().get(`/teams?name=${encodeURIComponent(name)}`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [team],
    `${name} was written and not read`,
  );
}

async function createTeam(name: string): Promise<number> {
  const { body, status } = await pickClient().post("/teams", { name });
  assert.equal(status, 201);
  return body.id;
}

/** Returns whether the replica has run a list of teams. */
const isReplicaUsed = (): Promise<boolean> =>
  withClient(pair.standbyUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'steward' AND query LIKE '%FROM teams%'",
    );
    return rows.length > 0;
  });

test(
  `${pairs} times a client writes through one process and reads the new value through another`,
  async () => {
    let made = 0;
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        const team = await createTeam(`Writer ${writer}`);
        while (made < pairs) await writeThenRead(team, `Name ${writer} ${made++}`);
      }),
    );
    // However busy the machine is, some read finds the replica up to date.
    await until(async () => {
      await pickClient().get("/teams");
      return isReplicaUsed();
    });
  },
  longestReliabilityTest,
);

test("a replica that doesn't replay isn't read, and neither is one that hangs or has stopped", async () => {
  const team = await createTeam("Left out");
  await withClient(pair.standbyUrl, (client) => client.query("SELECT pg_wal_replay_pause()"));
  for (let number = 0; number < 5; number++) await writeThenRead(team, `While it is paused ${number}`);
  await withClient(pair.standbyUrl, (client) => client.query("SELECT pg_wal_replay_resume()"));
  await pickClient().get("/teams");

  await pair.signalStandby("SIGSTOP");
  for (let number = 0; number < 5; number++) await writeThenRead(team, `While it stands still ${number}`);
  await pair.signalStandby("SIGCONT");
  await writeThenRead(team, "Moving again");

  await pair.signalStandby("SIGKILL");
  for (let number = 0; number < 5; number++) await writeThenRead(team, `When it is gone ${number}`);
});
