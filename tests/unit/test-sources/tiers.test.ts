import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { browserPath, selectFiles, stories } from "../../support/tiers.ts";

const root = join(import.meta.dirname, "../../..");

function list(mode: string): string[] {
  const { include, exclude } = selectFiles(mode);
  return globSync(include, { cwd: root, exclude }).toSorted();
}

test("npm test and npm run test:rest are the whole suite, and share no file", () => {
  const [first, rest] = [list("first"), list("rest")];
  expect(first.filter((file) => rest.includes(file))).toEqual([]);
  expect([...first, ...rest].toSorted()).toEqual(list("test"));
  expect(stories.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  if (browserPath !== null) expect(stories.filter((file) => !first.includes(file))).toEqual([]);
});
