import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that start, kill and wait for servers and browsers take longest: begun last, they would be waited for alone. */
const isLong = ({ moduleId }: TestSpecification): boolean =>
  /(kill|loss|burst|order|demo|command-line|pages?|hostile)\.test\.ts$/.test(moduleId);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["{records,server,tests}/**/*.test.ts"],
    globalSetup: ["tests/support/database.ts"],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // Two cores: more workers than that only wait for each other.
    maxWorkers: 4,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
  },
});
