import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "migrations");

/** The schema of the first release. A database whose first migration is another one belongs to a program from before it. */
export const baseline = { number: 1, name: "baseline" } as const;
/**
 * From this schema on, a migration leaves the program before it working (expand), unless it names the programs that it needs
 * (contract). `npm run check` lints these migrations (D-670).
 */
export const firstGradualSchema = baseline.number + 1;

export type Migration = {
  file: string;
  number: number;
  name: string;
  sql: string;
  /** SHA-256 of the text, in hexadecimal */
  checksum: string;
  /** The schema of the oldest program that works after it; null: every program that worked before. */
  oldestProgram: number | null;
  /** It builds or drops indexes while others write, which PostgreSQL does outside of transactions only. */
  isConcurrent: boolean;
};

/** `-- contract: needs programs of schema 3 or newer` */
const contractPattern = /^-- contract: needs programs of schema (\d+) or newer$/m;
const concurrentPattern = /^(?:CREATE(?: UNIQUE)?|DROP) INDEX CONCURRENTLY\b/im;

export function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
    .map((file) => parseMigration(file, readFileSync(join(folder, file), "utf8")));
}

export function parseMigration(file: string, sql: string): Migration {
  const contract = contractPattern.exec(sql)?.[1];
  return {
    file,
    number: Number(file.slice(0, 4)),
    name: file.slice(5, -4),
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
    oldestProgram: contract === undefined ? null : Number(contract),
    isConcurrent: concurrentPattern.test(sql),
  };
}

/** The same result inside a transaction, for a database without other clients. */
export const getTransactionalSql = ({ sql, isConcurrent }: Pick<Migration, "sql" | "isConcurrent">): string =>
  isConcurrent ? sql.replaceAll(/\bINDEX CONCURRENTLY\b/gi, "INDEX") : sql;

export const newestSchema = (): number => listMigrations().at(-1)?.number ?? 0;
