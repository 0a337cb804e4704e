import type { Reporter, TestModule, Vitest } from "vitest/node";
import { nameTest } from "./test-name.ts";

export const listSkipped = (module: TestModule): string[] => [...module.children.allTests("skipped")].map(nameTest);

/** Fails a run in which a test was skipped: what does not apply is not registered, so a skip is forgotten work. */
export class NoSkips implements Reporter {
  private vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // With -t everything that does not match is skipped, and that is what was asked for.
    if (this.vitest?.config.testNamePattern !== undefined) return;
    const skipped = modules.flatMap(listSkipped);
    if (skipped.length === 0) return;
    process.stderr.write(`\nSkipped tests fail the run:\n${skipped.map((line) => `  ${line}\n`).join("")}`);
    process.exitCode = 1;
  }
}
