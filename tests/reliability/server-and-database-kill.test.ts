import assert from "node:assert/strict";
import { afterAll, beforeAll, inject, test } from "vitest";
import { KillRounds } from "../support/processes/kill-rounds.ts";
import { randomNumbers } from "../support/random.ts";
import { atScale } from "../support/scale.ts";

// `npm run survive -- --what kill` runs the same a hundred times.

const rounds = atScale(4, 21);
const run = new KillRounds({
  program: inject("serverProgram"),
  rounds,
  writesPerRound: 12,
  random: randomNumbers("moments of kill -9"),
});
beforeAll(() => run.prepare());
afterAll(() => run.end());

test(`CV34: ${rounds} times kill -9: acknowledged writes are stored, and nothing is done partially or twice`, async () => {
  const { writes } = await run.run();
  assert.ok(writes > rounds * 6, "there were writes to lose");
});
