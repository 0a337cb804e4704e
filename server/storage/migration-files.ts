import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "migrations");

/** `checksum`: SHA-256 of the text, in hexadecimal */
export type Migration = { file: string; number: number; name: string; sql: string; checksum: string };

export function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), "utf8");
      return {
        file,
        number: Number(file.slice(0, 4)),
        name: file.slice(5, -4),
        sql,
        checksum: createHash("sha256").update(sql).digest("hex"),
      };
    });
}

export const newestSchema = (): number => listMigrations().at(-1)?.number ?? 0;
