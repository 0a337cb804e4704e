// npm run test:rest: the tests that `npm test` leaves out. A browser test that fails may pass in a second run: its file is
// repeated as a whole, in a new process and account, because a test that stopped halfway leaves records behind.
// A test that passes then has a fault, but not one that should block every other change. It is listed with a log of its pages.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Failures, failuresFile } from "../tests/support/failed-tests.ts";
import { createScratchFolder } from "../tests/support/scratch-folder.ts";

const mostFlaky = 3;
const folder = createScratchFolder();
const path = join(folder, "failures.json");

async function runTests(files: readonly string[] = []): Promise<boolean> {
  const options = { stdio: "inherit", env: { ...process.env, [failuresFile]: path } } as const;
  const [code] = await once(spawn("vitest", ["run", "--mode", "rest", ...files], options), "close");
  return code === 0;
}

/** The failures of the last run, if a second run may explain them; null where they fail the run. */
function readFlaky(): Failures["failures"] | null {
  const { failures, others } = JSON.parse(readFileSync(path, "utf8")) as Failures;
  const areFew = failures.length > 0 && failures.length <= mostFlaky && others === 0;
  return areFew && failures.every(({ file }) => file.startsWith("tests/browser/")) ? failures : null;
}

async function run(): Promise<boolean> {
  if (await runTests()) return true;
  const flaky = readFlaky();
  if (flaky === null) return false;
  const files = new Set(flaky.map(({ file }) => file));
  console.error(`\nRepeating ${[...files].join(", ")}`);
  if (!(await runTests([...files]))) return false;
  const list = flaky.map(({ test, message }) => `  ${test}\n${message.replace(/^/gm, "    ")}\n`);
  console.error(`\nFlaky tests, which passed the second time:\n${list.join("")}`);
  return true;
}

try {
  if (!(await run())) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
