import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { inject } from "vitest";
import { newestSchema } from "../../../server/schema/migrate.ts";
import { atFileEnd } from "../cleanup.ts";

const schemaFolder = join(import.meta.dirname, "../../../server/schema");

/** Builds the server with additional migrations, as in its next version; each text becomes one file. */
export function buildNewerProgram(migrations: readonly string[]): { program: string; schema: number } {
  const current = inject("serverProgram");
  // Beside the current program, so it finds the same packages and source files.
  const folder = mkdtempSync(join(dirname(current), "../steward-newer-"));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(schemaFolder, "migrations"), join(folder, "schema/migrations"), { recursive: true });
  let schema = newestSchema();
  for (const sql of migrations)
    writeFileSync(join(folder, "schema/migrations", `${String(++schema).padStart(4, "0")}-of-tomorrow.sql`), sql);
  const place = `/${relative(dirname(current), schemaFolder)}"`; // as the bundler writes it (tools/bundle-server.ts)
  let found = 0;
  for (const file of readdirSync(dirname(current)).filter((name) => name.endsWith(".mjs"))) {
    const text = readFileSync(join(dirname(current), file), "utf8");
    found += text.split(place).length - 1;
    writeFileSync(join(folder, file), text.replaceAll(place, '/schema"'));
  }
  assert.ok(found > 0, "the bundle looks for its migrations elsewhere");
  return { program: join(folder, basename(current)), schema };
}
