import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import pg from "pg";
import { addCaller } from "./add-caller.ts";
import type { RequestTexts } from "./load-data.ts";
import { createRandom, generateLoad } from "./load-generator.ts";
import { type Workload, workloads } from "./workloads.ts";

// npm run bench -- --search: how long a search takes among many requests with notes, and what its index costs those who
// write. Texts are of words that occur as words do, a few very often and most hardly ever.

const common =
  "the to not error is printer password after login since update laptop account cannot and screen mail network server my with reset new vpn in please user access outlook monitor slow on access file share phone install license office disk backup folder report when for browser crash device wifi firewall request change invoice keyboard mouse meeting room calendar database query timeout certificate expired domain group policy permission denied drive mapping sync cloud storage quota full mailbox attachment blocked spam filter virus scan battery charger dock cable adapter broken missing replace order delivery desk chair badge door".split(
    " ",
  );
const syllables =
  "ba be bi bo bu da de di do du fa fe fi fo ga ge go ka ke ki ko la le li lo ma me mi mo na ne ni no pa po ra re ri ro sa".split(
    " ",
  );
const vocabulary = 60_000;

/** The word of a rank: the higher, the rarer. */
const buildWord = (rank: number): string =>
  common[rank - 1] ??
  [rank % 40, Math.floor(rank / 40) % 40, Math.floor(rank / 1600) % 40].map((index) => syllables[index]).join("");
/** Ranks as Zipf has them: the second word half as often as the first. */
const drawRank = (random: () => number): number => Math.floor(vocabulary ** random());

const buildArraySql = (words: readonly string[]) => `ARRAY['${words.join("','")}']`;
const zipfTextSql = `(SELECT string_agg(CASE WHEN r <= ${common.length} THEN (${buildArraySql(common)})[r] ELSE (${buildArraySql(syllables)})[1 + r % 40] || (${buildArraySql(syllables)})[1 + r / 40 % 40] || (${buildArraySql(syllables)})[1 + r / 1600 % 40] END, ' ')
FROM (SELECT floor(power(${vocabulary}, random()))::integer AS r FROM generate_series(1, words)) ranks)`;

export const zipfTexts: RequestTexts = {
  before: [
    "SELECT setseed(0.5)",
    `CREATE FUNCTION bench_text(words integer) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT ${zipfTextSql} $$`,
  ],
  subject: "bench_text(4 + n % 6)",
  note: "bench_text(12 + id % 36)",
};

type QueryKind = { what: string; of: (random: () => number) => string };
// biome-ignore format: a table keeps its columns
const kinds: readonly QueryKind[] = [
  { what: "the most frequent word",                       of: () => buildWord(1) },
  { what: "a frequent word (rank 2 to 20)",               of: (random) => buildWord(2 + Math.floor(random() * 19)) },
  { what: "a word of middling frequency (rank 50 to 500)", of: (random) => buildWord(50 + Math.floor(random() * 450)) },
  { what: "a rare word (rank over 5,000)",                of: (random) => buildWord(5000 + Math.floor(random() * 50_000)) },
  { what: "a word that is nowhere",                       of: (random) => `xy${Math.floor(random() * 1e6)}z` },
  { what: "one letter",                                   of: (random) => "abdlmnprst"[Math.floor(random() * 10)] as string },
  { what: "the first three letters of a word",            of: (random) => buildWord(drawRank(random)).slice(0, 3) },
  { what: "two frequent words",                           of: (random) => `${buildWord(1 + Math.floor(random() * 10))} ${buildWord(11 + Math.floor(random() * 10))}` },
  { what: "a frequent and a rare word",                   of: (random) => `${buildWord(1 + Math.floor(random() * 10))} ${buildWord(2000 + Math.floor(random() * 3000))}` },
  { what: "four words, either or",                        of: (random) => [1, 2, 3, 4].map(() => buildWord(drawRank(random))).join("|") },
  { what: "words as they occur",                          of: (random) => buildWord(drawRank(random)) },
];

export type SearchMeasurement = { what: string; callers: { p50: number; p95: number; cost: number }[] };

export async function measureSearch(
  base: string,
  databaseUrl: string,
  say: (line: string) => void,
): Promise<{ searched: SearchMeasurement[]; writes: string[]; sizes: string; perSecond: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const postmaster = await loadPostmasterPid(client);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const callers = [await addCaller(client, 20, "specialist"), await addCaller(client, 500, null)];
  const call = (headers: Record<string, string>, words: string) =>
    new Promise<number>((resolve, reject) => {
      const begun = performance.now();
      const sent = request(`${base}/search?q=${encodeURIComponent(words)}`, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${words}: ${answer.statusCode}`));
        answer.on("data", () => {});
        answer.on("end", () => resolve(performance.now() - begun));
      });
      sent.on("error", reject);
      sent.end();
    });
  const measured = async (headers: Record<string, string>, kind: QueryKind, count: number) => {
    const random = createRandom(7);
    const times: number[] = [];
    const before = readProcessorTime(postmaster);
    for (let n = 0; n < count; n++) times.push(await call(headers, kind.of(random)));
    const cost = (readProcessorTime(postmaster) - before) / count;
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.min(count - 1, Math.floor(count * share))] as number;
    return { p50: at(0.5), p95: at(0.95), cost };
  };

  // Each of four connections plans a statement five times before it keeps the plan.
  for (const headers of callers) for (const kind of kinds) await measured(headers, kind, 10);
  const searched: SearchMeasurement[] = [];
  for (const kind of kinds) {
    const row: SearchMeasurement = { what: kind.what, callers: [] };
    for (const headers of callers) row.callers.push(await measured(headers, kind, 200));
    searched.push(row);
    say(
      `${row.what}: ${row.callers.map(({ p50, p95, cost }) => `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} cost ${cost.toFixed(1)}`).join(", ")}`,
    );
  }
  const together: Workload = {
    name: "search",
    what: "words as they occur",
    budget: 0,
    next: (random) => ({ method: "GET", path: `/search?q=${buildWord(drawRank(random))}` }),
  };
  const many = await generateLoad(base, callers[0] as Record<string, string>, together, 0, {
    connections: 8,
    seconds: 4,
    seed: 3,
  });
  agent.destroy();

  const { rows } = await client.query(
    "SELECT pg_size_pretty(pg_relation_size('requests_words')) AS requests, pg_size_pretty(pg_relation_size('notes_words')) AS notes, (SELECT count(*) FROM requests) AS count",
  );
  const sizes = `requests_words ${rows[0].requests}, notes_words ${rows[0].notes}`;
  const writes = await measureWrites(base, client, callers[0] as Record<string, string>, Number(rows[0].count));
  await client.end();
  return { searched, writes, sizes, perSecond: many.perSecond };
}

/** The same writes with the two indexes and without them, by what they cost PostgreSQL: rates depend on the day. */
async function measureWrites(
  base: string,
  client: pg.Client,
  headers: Record<string, string>,
  requests: number,
): Promise<string[]> {
  const random = createRandom(11);
  const text = (words: number) => Array.from({ length: words }, () => buildWord(drawRank(random))).join(" ");
  const noted: Workload = {
    name: "note",
    what: "add a note of 30 words",
    budget: 0,
    next: (next) => ({
      method: "POST",
      path: `/requests/${1 + Math.floor(next() * requests)}/notes`,
      body: JSON.stringify({ text: text(30) }),
    }),
  };
  const written = [...workloads.filter(({ name }) => name === "W4" || name === "W5"), noted];
  const postmaster = await loadPostmasterPid(client);
  const round = async (seed: number) => {
    const costs: number[] = [];
    for (const workload of written) {
      const before = readProcessorTime(postmaster);
      const { count } = await generateLoad(base, headers, workload, requests, { connections: 8, seconds: 4, seed });
      costs.push((readProcessorTime(postmaster) - before) / count);
    }
    return costs;
  };
  await round(1);
  const withIndexes = [await round(2), await round(3)];
  await client.query("DROP INDEX requests_words, notes_words");
  const without = [await round(4), await round(5)];
  const least = (rounds: number[][], index: number) => Math.min(...rounds.map((costs) => costs[index] as number));
  return written.map(({ what }, index) => {
    const [one, other] = [least(withIndexes, index), least(without, index)];
    return `${what}: ${one.toFixed(2)} ms of PostgreSQL's processor time with the index, ${other.toFixed(2)} ms without`;
  });
}

async function loadPostmasterPid(client: pg.Client): Promise<string> {
  const { rows } = await client.query("SELECT setting FROM pg_settings WHERE name = 'data_directory'");
  return readFileSync(`${rows[0].setting}/postmaster.pid`, "utf8").split("\n")[0] as string;
}

/** Milliseconds that a PostgreSQL server and its processes have used, those that ended included. */
function readProcessorTime(postmaster: string): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(pid);
    if (stat === null || (pid !== postmaster && stat[1] !== postmaster)) continue;
    ticks += Number(stat[11]) + Number(stat[12]) + (pid === postmaster ? Number(stat[13]) + Number(stat[14]) : 0);
  }
  return ticks * 10;
}

/** The fields after the name of a process: state, parent and so on; null when the process has ended. */
function readStat(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return null;
  }
}
