import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// `Database.read` and `readMany` must only read, because a replica may run them. Statements that change rows go through `change`
// or a transaction.

const root = join(import.meta.dirname, "../..");
const files = globSync("{server,demo}/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
const changesRows =
  /\b(INSERT INTO|DELETE FROM|TRUNCATE|ANALYZE|UPDATE \S+ (AS \w+ |\w+ )?SET|pg_notify|nextval)\b|FOR (NO KEY )?UPDATE/;

/** Finds a file's constants whose SQL changes rows. */
function findChanges(text: string): Set<string> {
  const definitions = text.matchAll(/^(?:export )?const (\w+)\b[^=\n]*=\s*([\s\S]*?);\n/gm);
  return new Set(
    [...definitions].filter(([, , value = ""]) => changesRows.test(value)).map(([, name]) => name as string),
  );
}

/** Finds the arguments of the read methods, as text. */
const findReads = (text: string): string[] =>
  [...text.matchAll(/atabase\s*\.(?:read|readMany)\(\s*((?:`[^`]*`|[^,)`])+)/g)].map(([, given]) => given as string);

test("no statement that changes rows is sent as a read", () => {
  const wrong = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const changes = findChanges(text);
    return findReads(text)
      .filter((given) => changesRows.test(given) || (given.match(/\w+/g) ?? []).some((word) => changes.has(word)))
      .map((given) => `${file}: ${given}`);
  });
  expect(wrong).toEqual([]);
});

test("the check finds statements that change rows", () => {
  const text = 'const touch = statement("UPDATE tokens SET used = $1");\nawait database.read(touch, [now]);\n';
  expect([...findChanges(text)]).toEqual(["touch"]);
  expect(findReads(text)).toEqual(["touch"]);
});
