import type { Reporter, TestCase, TestModule } from "vitest/node";

// A browser test that fails may run a second time. One that passes then counts as passed, but it has a fault: it is listed
// with what its pages did, and a run with several of them fails.

const mostFlaky = 3;

/** A retried test passes with the errors of its first attempt. */
const describe = (test: TestCase): string => {
  const [error] = test.result().errors ?? [];
  return `  ${test.module.relativeModuleId} > ${test.fullName}\n${(error?.message ?? "").replace(/^/gm, "    ")}\n`;
};

export class FlakyTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules
      .flatMap((module) => [...module.children.allTests("passed")])
      .filter((test) => test.diagnostic()?.flaky);
    if (flaky.length === 0) return;
    process.stderr.write(`\nFlaky tests, which passed the second time:\n${flaky.map(describe).join("")}`);
    if (flaky.length <= mostFlaky) return;
    process.stderr.write(`\nMore than ${mostFlaky} flaky tests fail the run.\n`);
    process.exitCode = 1;
  }
}
