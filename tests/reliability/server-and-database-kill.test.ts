import assert from "node:assert/strict";
import { afterAll, beforeAll, inject, test } from "vitest";
import { KillRounds } from "../support/processes/kill-rounds.ts";
import { randomNumbers } from "../support/random.ts";
import { atScale } from "../support/scale.ts";

// `npm run survive -- --what kill` does the same a hundred times.

const rounds = atScale(4, 21);
const run = new KillRounds({
  program: inject("serverProgram"),
  rounds,
  writesPerRound: 12,
  random: randomNumbers("moments of kill -9"),
});
beforeAll(() => run.prepare());
afterAll(() => run.end());

test(`CV34: ${rounds} times kill -9: what was acknowledged is there, nothing is half done, and nothing is done twice`, async () => {
  const { writes } = await run.run();
  assert.ok(writes > rounds * 6, "there was something to lose");
});
