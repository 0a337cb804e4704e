import { expect, test } from "vitest";
import { listMigrations } from "../migration-files.ts";
import { splitStatements } from "./split-statements.ts";

test("a text is split only at the ends of its statements", () => {
  const sql = `-- first; of all
CREATE TABLE "a;b" (c text DEFAULT 'x;''y', d text DEFAULT E'\\';');
/* nothing; here */ ;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY f; RETURN NULL; END $$;
DO $body$ BEGIN PERFORM '$$;'; END $body$; SELECT $1 -- end;
`;
  expect(splitStatements(sql)).toEqual([
    `CREATE TABLE "a;b" (c text DEFAULT 'x;''y', d text DEFAULT E'\\';')`,
    "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY f; RETURN NULL; END $$",
    "DO $body$ BEGIN PERFORM '$$;'; END $body$",
    "SELECT $1 -- end;",
  ]);
  expect(splitStatements("  -- nothing\n")).toEqual([]);
});

test("no part of a migration is lost", () => {
  const letters = (text: string) => text.replace(/[\s;]/g, "");
  for (const { sql, file } of listMigrations()) {
    const uncommented = sql.replace(/^--.*$/gm, "");
    expect(letters(splitStatements(uncommented).join(";")), file).toBe(letters(uncommented));
  }
});
