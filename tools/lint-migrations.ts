// Part of npm run check: every migration after the baseline leaves servers of the program before it working, and locks no table for
// long (D-670). Squawk knows what PostgreSQL locks; the rest are rules of our own. What is allowed in spite of a rule says why:
//
//   -- Nothing reads the column since schema 3.
//   -- squawk-ignore ban-drop-column
//   ALTER TABLE teams DROP COLUMN motto;

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { splitStatements } from "../server/schema/layout/split-statements.ts";
import { firstGradualSchema, listMigrations, parseMigration } from "../server/schema/migration-files.ts";

/** The program itself: the script in .bin starts another Node first. */
const squawk = join(
  import.meta.dirname,
  `../node_modules/@squawk-cli/${process.platform}-${process.arch}/bin/squawk${process.platform === "win32" ? ".exe" : ""}`,
);
const oldestPostgres = "15";

/** Rules of taste, and timeouts that the program itself sets around every migration. */
const excluded = [
  ...["prefer-bigint-over-int", "prefer-bigint-over-smallint", "prefer-identity", "prefer-text-field"],
  ...["prefer-timestamptz", "require-lock-timeout", "require-statement-timeout"],
];
/** Statements that these rules forbid always break programs that use the old schema. */
const contracting = ["ban-drop-column", "ban-drop-table", "renaming-column", "renaming-table", "changing-column-type"];

type SquawkFinding = { line: number; message: string; rule_name: string };

/** The problems of a migration; empty when it may be merged. */
export function lintMigration(file: string, sql: string): string[] {
  const migration = parseMigration(file, sql);
  const problems = runSquawk(file, sql, migration.isConcurrent).map(
    ({ line, message, rule_name }) => `line ${line + 1}: ${message} (${rule_name})`,
  );
  const lines = sql.split("\n");
  const ignored: string[] = [];
  lines.forEach((line, at) => {
    const rules = /^--\s*squawk-ignore(-file)?\b(.*)$/.exec(line);
    if (rules === null) return;
    if (rules[1] !== undefined || (rules[2] as string).trim() === "")
      problems.push(`line ${at + 1}: name the rules of one statement that are ignored`);
    ignored.push(...(rules[2] as string).split(",").map((rule) => rule.trim()));
    if (!/^-- .*\w{2,} .*\w{2,}/.test(lines[at - 1] ?? "") || /squawk-ignore/.test(lines[at - 1] ?? ""))
      problems.push(`line ${at + 1}: the line before must say why the rule is ignored`);
  });
  const { number, oldestProgram, isConcurrent } = migration;
  if (oldestProgram === null && contracting.some((rule) => ignored.includes(rule)))
    problems.push(
      "it removes or changes what a program uses: begin with -- contract: needs programs of schema N or newer",
    );
  // A program of the schema right before is the one that runs while this migration is applied.
  if (oldestProgram !== null && oldestProgram >= number)
    problems.push(`programs of schema ${oldestProgram} cannot run before schema ${number} is there`);
  if (isConcurrent && splitStatements(sql).some((text) => !/^(CREATE( UNIQUE)?|DROP) INDEX CONCURRENTLY\b/i.test(text)))
    problems.push("indexes that are built or dropped concurrently have a migration of their own");
  return problems.map((problem) => `${file}: ${problem}`);
}

function runSquawk(file: string, sql: string, isConcurrent: boolean): SquawkFinding[] {
  const rules = isConcurrent ? excluded : [...excluded, "prefer-robust-stmts"];
  const { stdout, stderr, error } = spawnSync(
    squawk,
    [
      ...["--reporter", "json", "--pg-version", oldestPostgres, "--stdin-filepath", file, "--exclude", rules.join(",")],
      ...(isConcurrent ? [] : ["--assume-in-transaction"]),
    ],
    { input: sql, encoding: "utf8" },
  );
  if (error !== undefined) throw error;
  try {
    return JSON.parse(stdout) as SquawkFinding[];
  } catch {
    throw new Error(`squawk failed: ${stderr || stdout}`);
  }
}

if (import.meta.main) {
  const gradual = listMigrations().filter(({ number }) => number >= firstGradualSchema);
  const problems = gradual.flatMap(({ file, sql }) => lintMigration(file, sql));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
