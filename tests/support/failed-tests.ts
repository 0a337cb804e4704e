import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { listSkipped } from "./no-skips.ts";
import { nameTest } from "./test-name.ts";

// A long run's errors, with the logs of its pages, exceed the space on a CI page. So the last lines name each failed test.
// A second run can read the failed files and repeat them.

export type Failure = { file: string; test: string; message: string };
export type Failures = {
  failures: readonly Failure[];
  /** errors outside tests, and skips in files without a failure: these fail the run regardless of a repetition */
  others: number;
};

/** The file to which a run writes its failures. */
export const failuresFile = "FAILURES_FILE";

const firstLine = (message: string): string => message.split("\n", 1)[0]?.slice(0, 200) ?? "";

/** Collects failed tests and hooks, and modules that can't be loaded. */
function collectFailures(module: TestModule): Failure[] {
  const file = module.relativeModuleId;
  const hooks = [module, ...module.children.allSuites()].flatMap((each) => each.errors());
  return [
    ...hooks.map(({ message }) => ({ file, test: file, message })),
    ...[...module.children.allTests("failed")].map((test) => ({
      ...{ file, test: nameTest(test) },
      message: test.result().errors?.[0]?.message ?? "",
    })),
  ];
}

export class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const failures = modules.flatMap(collectFailures);
    const path = process.env[failuresFile];
    if (path !== undefined) {
      const failed = new Set(failures.map(({ file }) => file));
      const skipped = modules.filter(({ relativeModuleId }) => !failed.has(relativeModuleId)).flatMap(listSkipped);
      const found: Failures = { failures, others: unhandled.length + skipped.length };
      writeFileSync(path, JSON.stringify(found));
    }
    if (failures.length === 0) return;
    const lines = failures.map(({ test, message }) => `  ${test}: ${firstLine(message)}\n`);
    process.stderr.write(`\nFailed tests:\n${lines.join("")}`);
  }
}
