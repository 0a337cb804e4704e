import assert from "node:assert/strict";
import { afterAll, beforeAll, inject, test } from "vitest";
import { withClient } from "../support/processes/database-pair.ts";
import { FailoverRounds } from "../support/processes/failover-rounds.ts";
import { randomNumbers } from "../support/random.ts";
import { atScale } from "../support/scale.ts";
import { longestReliabilityTest, until } from "../support/waiting.ts";
import { createClient } from "../support/world.ts";

// `npm run drill:failover -- --rounds 20` does the same with more writes.

const rounds = atScale(1, 10);
const drill = new FailoverRounds({
  program: inject("serverProgram"),
  rounds,
  writesPerSecond: atScale(60, 200),
  writesPerRound: atScale(60, 400),
  noticeAfter: 300,
  isTimed: false,
  random: randomNumbers("moments of failovers"),
});
beforeAll(() => drill.prepare(), longestReliabilityTest);
afterAll(() => drill.end());

test(
  `${rounds} times the primary dies and its standby takes over: no acknowledged write and no event is lost`,
  async () => {
    const { acknowledged, events } = await drill.run();
    assert.ok(acknowledged >= rounds * 60 && events >= acknowledged, "there were writes to lose");
  },
  longestReliabilityTest,
);

test("while no server accepts writes, the service isn't ready and rejects changes; then it recovers automatically", async () => {
  const { base, token, account } = drill.server as NonNullable<typeof drill.server>;
  const client = createClient(base, { Authorization: `Bearer ${token}`, account });
  await drill.pair.killPrimary();
  await drill.waitForReadiness(503);
  const refused = await client.post("/teams", { name: "Too early" });
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await drill.pair.promote();
  await drill.waitForReadiness(200);
  assert.equal((await client.post("/teams", { name: "In time" })).status, 201);
  assert.equal((await client.get("/teams?name=Too%20early")).body.length, 0);
});

test("a commit that no standby has confirmed is not acknowledged", async () => {
  const { base, token, account } = drill.server as NonNullable<typeof drill.server>;
  const client = createClient(base, { Authorization: `Bearer ${token}`, account });
  await drill.pair.requireStandby(); // there is no standby now
  await drill.pair.awaitWaitingCommit();
  let status: number | null = null;
  void client.post("/teams", { name: "On one server only" }).then((answer) => {
    status = answer.status;
  });
  // Cancels the wait, as the statement timeout does after half a minute.
  const endWaits = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await withClient(drill.pair.primaryUrl, (admin) =>
    until(async () => {
      await admin.query(endWaits);
      return status !== null;
    }),
  );
  assert.equal(status, 503);
});
