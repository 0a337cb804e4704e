import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { NoSkips } from "./tests/support/no-skips.ts";
import { browserPath, selectFiles } from "./tests/support/tiers.ts";
import { longestTest, longestWait } from "./tests/support/waiting.ts";

/** Files that start, kill and wait for servers take longest: started last, they would be waited for alone. */
const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/tests\/(reliability|browser)\/|(conformance|command-line|account-isolation|openapi)\.test\.ts$/.test(moduleId);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// The mode chooses a tier: `vitest run --mode unit`. Without one it is the whole suite.
export default defineConfig(({ mode }) => {
  const { include, exclude } = selectFiles(mode);
  if (browserPath === null && mode !== "unit" && mode !== "wire" && mode !== "reliability")
    process.stderr.write("No browser found: the browser tests are left out. Install chromium, or set CHROMIUM.\n");
  return {
    test: {
      include,
      exclude: ["**/node_modules/**", ...exclude],
      passWithNoTests: mode === "browser",
      ...(mode === "unit" ? {} : { globalSetup: ["tests/support/database.ts"] }),
      setupFiles: ["tests/support/setup.ts"],
      // The server is a few hundred modules: a worker loads them once, not once for every file.
      isolate: false,
      testTimeout: longestTest,
      hookTimeout: longestTest,
      // Two cores: more workers than that only wait for each other.
      maxWorkers: 4,
      expect: { poll: { timeout: longestWait } },
      sequence: { sequencer: LongestFirst },
      reporters: ["default", new NoSkips()],
    },
  };
});
