import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { inject } from "vitest";
import { newestSchema } from "../../../server/storage/migrate.ts";
import { atFileEnd } from "../cleanup.ts";

const storage = join(import.meta.dirname, "../../../server/storage");

/** The server with further migrations, as the next version of it has them; each text becomes one file. */
export function buildNewerProgram(migrations: readonly string[]): { program: string; schema: number } {
  const current = inject("serverProgram");
  // Beside the current one: both find the same packages.
  const folder = mkdtempSync(join(dirname(current), "../steward-newer-"));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(storage, "migrations"), join(folder, "storage/migrations"), { recursive: true });
  let schema = newestSchema();
  for (const sql of migrations)
    writeFileSync(join(folder, "storage/migrations", `${String(++schema).padStart(4, "0")}-of-tomorrow.sql`), sql);
  mkdirSync(join(folder, "program"));
  for (const file of readdirSync(dirname(current))) {
    const text = readFileSync(join(dirname(current), file), "utf8");
    const replaced = text.replaceAll(JSON.stringify(storage), JSON.stringify(join(folder, "storage")));
    writeFileSync(join(folder, "program", file), replaced);
  }
  return { program: join(folder, "program", basename(current)), schema };
}
