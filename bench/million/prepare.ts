import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedDatabase } from "../../server/embedded/cluster/index.ts";
import { migrate } from "../../server/schema/migrate.ts";
import { addCaller } from "../add-caller.ts";
import { loadData } from "../load-data.ts";
import { loadGrowingTables } from "./load-tables.ts";

// A data folder with a million rows in every table that grows. It takes a quarter of an hour and 14 GB, so a folder that is
// named is kept and used again.

/** The readers of the lists: an administrator, a specialist, a requester with a thousand requests, and one who has none. */
export const readers = [
  { who: "administrator", person: 1, role: "account_administrator" },
  { who: "specialist", person: 20, role: "specialist" },
  { who: "requester", person: 500, role: null },
  { who: "newcomer", person: 5000, role: null },
] as const;

export type Reader = { who: string; headers: Record<string, string> };

export async function prepareMillion(directory: string, rows: number, say: (line: string) => void) {
  mkdirSync(directory, { recursive: true });
  const database = await startEmbeddedDatabase({ directory: join(directory, "postgres"), log: () => {} });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await migrate(database.url);
    const complete = join(directory, "complete");
    if (!existsSync(complete)) {
      await loadData(database.url, rows, say);
      await loadGrowingTables(client, rows, say);
      writeFileSync(complete, `${rows} rows\n`);
    }
    // Every statement that takes longer writes its plan to the log.
    await client.query("ALTER SYSTEM SET session_preload_libraries = 'auto_explain'");
    await client.query("ALTER SYSTEM SET auto_explain.log_min_duration = 100");
    await client.query("SELECT pg_reload_conf()");
    const callers = [];
    for (const { who, person, role } of readers) callers.push({ who, headers: await addCaller(client, person, role) });
    return { database, readers: callers as readonly Reader[] };
  } catch (error) {
    await database.stop();
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
