import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writesCachedTable } from "../../support/cached-writes.ts";

// D-783: tests write cached tables through their world's `sql`, which waits until the server has invalidated its cache.

const folder = join(import.meta.dirname, "../..");

/** Other writers, by file and the start of the statement. */
const exceptions = [
  // before a server starts
  "support/seed.ts: INSERT INTO accounts",
  "support/seed.ts: INSERT INTO permissions",
  "support/seed.ts: INSERT INTO account_trusts",
  "support/seed.ts: INSERT INTO organizations",
  "support/seed.ts: INSERT INTO services",
  // a change in a transaction while another one is still open
  "requests/viewer-accounts.test.ts: UPDATE slas",
  // the server must not learn of the change before it is notified
  "sla/sla-clock.test.ts: UPDATE service_offerings",
  // through the program's own class, because its notification is tested
  "reliability/revocation-across-processes.test.ts: UPDATE account_trusts",
];

const literal = /`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g;
const callOfSql = /\bsql(?:<[^;=]*?>)?\(\s*$/;

/** Finds a file's statements that write cached tables and don't go through `sql`. */
const findWrites = (source: string): string[] =>
  [...source.matchAll(literal)]
    .filter(({ 0: text, index }) => writesCachedTable(text) && !callOfSql.test(source.slice(0, index).slice(-200)))
    .map(([text]) => /(?:INSERT INTO|UPDATE|DELETE FROM) \w+/.exec(text)?.[0] ?? text);

test("tests write cached tables only through `sql`", () => {
  const files = globSync("**/*.ts", { cwd: folder }).filter(
    (file) => !file.startsWith("unit/") && !file.startsWith("support/statements/"),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    findWrites(readFileSync(join(folder, file), "utf8")).map((write) => `${file}: ${write}`),
  );
  expect([...new Set(found)].sort()).toEqual([...exceptions].sort());
});

test("the check finds other writes", () => {
  const source = `
    await other.query("INSERT INTO permissions (person_id) VALUES (1)");
    await processes.sql.query(\`DELETE FROM automation_rules WHERE name = 'a'\`);
    const text = "UPDATE calendars SET name = 'x'";
    await at.sql<{ id: number }>(
      "UPDATE people SET disabled = true",
    );
    await sql("UPDATE requests SET subject = 'x'");`;
  expect(findWrites(source)).toEqual(["INSERT INTO permissions", "DELETE FROM automation_rules", "UPDATE calendars"]);
});
