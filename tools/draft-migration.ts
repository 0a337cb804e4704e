// npm run draft-migration -- <name>: writes the next numbered migration from the difference between the declarations
// and the committed schema dump, and updates the dump. Review the result before you commit it. Indexes and
// constraints of existing tables get their own migrations, so that servers can keep running meanwhile (D-670).
//
// npm run draft-migration -- --record: adds the checksums of new migrations to migrations/checksums.json, for a draft that
// was edited by hand. Migrations that are listed there must not change any more.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { register } from "../records/index.ts";
import { deriveSchema } from "../server/engine/schema/derive-schema.ts";
import { listMigrations } from "../server/schema/migrate.ts";
import { divideDraft } from "../server/schema/tables/divide-draft.ts";
import { draftMigration } from "../server/schema/tables/draft-migration.ts";
import { dumpSchema, parseDump } from "../server/schema/tables/model.ts";

const folder = join(import.meta.dirname, "../server/schema");
const dumpFile = join(folder, "schema.sql");
const checksumsFile = join(folder, "migrations/checksums.json");
const name = process.argv[2];
if (name === "--record") {
  recordChecksums();
  process.exit(0);
}
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error("usage: npm run draft-migration -- <name> | --record    (small letters, digits and dashes)");
  process.exit(2);
}
const committed = existsSync(dumpFile) ? parseDump(readFileSync(dumpFile, "utf8")) : { tables: [], extras: [] };
const wanted = deriveSchema(register);
const statements = draftMigration(committed, wanted);
if (statements.length === 0) {
  console.log("The declarations and the schema agree: nothing to do.");
} else {
  let number = listMigrations().at(-1)?.number ?? 0;
  for (const part of divideDraft(statements)) {
    const file = `${String(++number).padStart(4, "0")}-${name}${part.suffix}.sql`;
    writeFileSync(join(folder, "migrations", file), `${part.statements.join("\n")}\n`);
    console.log(`${part.statements.length} statements in server/schema/migrations/${file}`);
  }
  writeFileSync(dumpFile, dumpSchema(wanted));
  console.log("When it is as it should be: npm run draft-migration -- --record");
}

function recordChecksums(): void {
  const known = JSON.parse(readFileSync(checksumsFile, "utf8")) as Record<string, string>;
  const all = listMigrations().map(({ file, checksum }) => [file, known[file] ?? checksum]);
  writeFileSync(checksumsFile, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
