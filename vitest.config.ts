import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { FailedTests } from "./tests/support/failed-tests.ts";
import { NoSkips } from "./tests/support/no-skips.ts";
import { browserPath, selectFiles } from "./tests/support/tiers.ts";
import { longestTest, longestWait } from "./tests/support/waiting.ts";
import web from "./web/vite.config.ts";

/** The modules of the server, its tests aside. */
const root = import.meta.dirname.replace(/[^\w/]/g, "\\$&");
const product = new RegExp(`^(?:file://)?${root}/(?:demo|markup|records|server)/(?:(?!\\.test\\.).)*\\.ts$`);

// Files that start, kill and wait for servers take longest, some of them half a minute of processor time and more: started
// last, they would be waited for alone.
const slowest =
  /\/(web-interface|lists|demo-company|command-line|record-conformance|collection-conformance|request-page)\.test\.ts$/;
const slow =
  /\/tests\/(reliability|browser)\/|(conformance|account-isolation|openapi|migrations|embedded|archive|export|same-as-rest)\.test\.ts$/;
const rank = ({ moduleId }: TestSpecification): number => (slowest.test(moduleId) ? 0 : slow.test(moduleId) ? 1 : 2);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const common = {
  // The server is a few hundred modules: a worker loads them once, not once for every file.
  isolate: false,
  // And Node loads them as it does for `npm start`: transformed by Vite they would be slower, on every call.
  server: { deps: { external: [/\/node_modules\//, product] } },
  testTimeout: longestTest,
  hookTimeout: longestTest,
  expect: { poll: { timeout: longestWait } },
} satisfies TestProjectInlineConfiguration["test"];

/** Tests of browser code, which run in a DOM; they belong to the unit tier. */
const componentTests = "web/**/*.test.{ts,tsx}";
const memoryStore = `${import.meta.dirname}/tests/support/dom/memory-store.ts`;

const components = {
  extends: true,
  plugins: web.plugins ?? [],
  // Pages keep drafts in the database of the browser, which the DOM has not.
  resolve: { alias: { "idb-keyval": memoryStore } },
  test: {
    ...common,
    name: "components",
    include: [componentTests],
    environment: "happy-dom",
    setupFiles: ["tests/support/dom/setup.ts"],
    testTimeout: 20_000,
  },
} satisfies TestProjectInlineConfiguration;

// The mode chooses a tier or a half of the suite: `vitest run --mode unit`. Without one it is the whole suite.
export default defineConfig(({ mode }) => {
  const { include, exclude } = selectFiles(mode);
  const needsNoBrowser = ["unit", "wire", "reliability"].includes(mode);
  if (browserPath === null && !needsNoBrowser && process.env.CI !== undefined)
    throw new Error(
      "No browser found: CI runs the browser tests, too. Install chromium-headless-shell, or set CHROMIUM.",
    );
  if (browserPath === null && !needsNoBrowser)
    process.stderr.write("No browser found: the browser tests are left out. Install chromium, or set CHROMIUM.\n");
  const hasComponents = !["wire", "browser", "reliability", "rest"].includes(mode);
  return {
    test: {
      passWithNoTests: mode === "browser",
      // Two cores: three workers keep them busy, and each further one loads the server and waits for its turn.
      maxWorkers: 3,
      sequence: { sequencer: LongestFirst },
      reporters: ["default", new NoSkips(), new FailedTests()],
      projects: [
        {
          extends: true,
          test: {
            name: "node",
            include,
            exclude: ["**/node_modules/**", ...exclude, componentTests],
            globalSetup: [
              ...(mode === "unit" ? [] : ["tests/support/database.ts"]),
              ...(browserPath === null || needsNoBrowser ? [] : ["tests/support/web-pages.ts"]),
            ],
            setupFiles: ["tests/support/setup.ts"],
            ...common,
          },
        },
        ...(hasComponents ? [components] : []),
      ],
    },
  };
});
