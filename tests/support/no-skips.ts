import type { Reporter, TestModule, Vitest } from "vitest/node";
import { nameTest } from "./test-name.ts";

export const listSkipped = (module: TestModule): string[] => [...module.children.allTests("skipped")].map(nameTest);

/** Fails a run with skipped tests. Tests that don't apply aren't registered, so a skip means unfinished work. */
export class NoSkips implements Reporter {
  private vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // With -t, all tests that don't match the name are skipped on purpose.
    if (this.vitest?.config.testNamePattern !== undefined) return;
    const skipped = modules.flatMap(listSkipped);
    if (skipped.length === 0) return;
    process.stderr.write(`\nSkipped tests fail the run:\n${skipped.map((line) => `  ${line}\n`).join("")}`);
    process.exitCode = 1;
  }
}
