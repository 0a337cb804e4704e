import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// `Database.read` and `readMany` only read: a replica may answer some of them. What changes rows goes through `change` or a
// transaction.

const root = join(import.meta.dirname, "../..");
const files = globSync("{server,demo}/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
const changesRows =
  /\b(INSERT INTO|DELETE FROM|TRUNCATE|ANALYZE|UPDATE \S+ (AS \w+ |\w+ )?SET|pg_notify|nextval)\b|FOR (NO KEY )?UPDATE/;

/** The constants of a file whose text changes rows. */
function findChanges(text: string): Set<string> {
  const definitions = text.matchAll(/^(?:export )?const (\w+)\b[^=\n]*=\s*([\s\S]*?);\n/gm);
  return new Set(
    [...definitions].filter(([, , value = ""]) => changesRows.test(value)).map(([, name]) => name as string),
  );
}

/** What is passed to the methods that read, as text. */
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

test("such statements are found", () => {
  const text = 'const touch = statement("UPDATE tokens SET used = $1");\nawait database.read(touch, [now]);\n';
  expect([...findChanges(text)]).toEqual(["touch"]);
  expect(findReads(text)).toEqual(["touch"]);
});
