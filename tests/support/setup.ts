import { afterAll, afterEach, expect, inject, vi } from "vitest";
import { runCleanups } from "./cleanup.ts";
import { describePages } from "./clients/failed-page.ts";
import { longestReliabilityTest, longestTest } from "./waiting.ts";

// Runs for every test file, also when several files share a worker and its modules.

const isReliability = /\/tests\/reliability\//.test(expect.getState().testPath ?? "");
const limit = isReliability ? longestReliabilityTest : longestTest;
vi.setConfig({ testTimeout: limit, hookTimeout: limit });

// Tests without a database have no folder for statements.
if ((inject("statementsFolder") as string | undefined) !== undefined) {
  const { recordStatements } = await import("./statements/record-statements.ts");
  recordStatements();
}

afterEach(describePages);

// The last hook runs first.
afterAll(runCleanups);

// fast-check picks a random seed and prints it when a property fails; TEST_SEED repeats that run.
if (process.env.TEST_SEED !== undefined) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: Number(process.env.TEST_SEED) });
}
