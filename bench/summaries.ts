import pg from "pg";
import { account } from "./load-data.ts";

// npm run bench -- --summaries: how long each chart of the standard dashboards takes, over two weeks and over all the
// requests there are.

const rounds = 9;

/** Adds data that the loaded requests lack: targets that most of them met, and some answers. */
const complete = `UPDATE requests SET resolution_target_at = created_at + (1 + id % 5) * interval '1 hour',
  satisfaction = CASE WHEN completed_at IS NOT NULL AND id % 3 = 0 THEN CASE WHEN id % 10 = 0 THEN 'dissatisfied' ELSE 'satisfied' END END
  WHERE account_id = $1 AND resolution_target_at IS NULL`;

type Chart = { what: string; query: string; within?: string };
// biome-ignore format: a table keeps its columns
const charts: readonly Chart[] = [
  { what: "open requests",                 query: "state=open" },
  { what: "age of open requests",          query: "state=open&by=created_at&bounds=2026-01-15T00:00:00,2026-02-15T00:00:00,2026-03-01T00:00:00" },
  { what: "open by team and impact",       query: "state=open&by=team&then_by=impact" },
  { what: "open by member",                query: "state=open&by=member" },
  { what: "created by day",                query: "by=created_at&every=day", within: "created_at" },
  { what: "completed by day",              query: "by=completed_at&every=day", within: "completed_at" },
  { what: "categories",                    query: "by=category", within: "created_at" },
  { what: "targets met by day",            query: "by=completed_at&every=day&measure=share:targets_met", within: "completed_at" },
  { what: "targets met by service",        query: "by=service_instance&measure=share:targets_met", within: "completed_at" },
  { what: "median time to solve by day",   query: "by=completed_at&every=day&measure=median:resolution_duration&category=incident", within: "completed_at" },
  { what: "satisfied by team",             query: "by=team&measure=share:satisfied", within: "completed_at" },
  { what: "solved by the first team",      query: "measure=share:first_team_solved", within: "completed_at" },
];

export async function measureSummaries(
  base: string,
  databaseUrl: string,
  headers: Record<string, string>,
): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(complete, [account]);
  await client.query("VACUUM ANALYZE requests");
  const { rows } = await client.query("SELECT max(created_at) AS last FROM requests WHERE account_id = $1", [account]);
  await client.end();
  const last = (rows[0] as { last: Date }).last;
  const since = new Date(last.getTime() - 14 * 86_400_000).toISOString().slice(0, 10);
  const measure = async (query: string): Promise<string> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      const response = await fetch(`${base}/requests/summary?${query}`, { headers });
      if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`);
      await response.text();
      times.push(performance.now() - start);
    }
    times.sort((one, other) => one - other);
    return `${times[Math.floor(rounds / 2)]?.toFixed(0)} (${times.at(-1)?.toFixed(0)})`;
  };
  const lines = ["| Chart | two weeks: median ms (most) | everything: median ms (most) |", "|---|---|---|"];
  for (const { what, query, within } of charts) {
    const recent =
      within === undefined ? "" : await measure(`${query}&${within}=${encodeURIComponent(`>=${since}T00:00:00`)}`);
    lines.push(`| ${what} | ${recent} | ${await measure(query)} |`);
  }
  return lines.join("\n");
}
