import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { register } from "../../records/index.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";
import type { Reader } from "./prepare.ts";

// npm run bench -- --million: the first page of every list there is, for four readers, and walks through long lists.

/** Milliseconds of the first call, which counts, and the median of those after it. */
type Times = { first: number; again: number };
type Measured = { list: string; times: (Times | null)[] };

const limit = 100;
const repetitions = 5;
const administrationLists = [
  ...["/mails", "/mails?state=failed", "/mails?person=500", "/received_mails", "/received_mails?outcome=rejected"],
  ...["/security_trail", "/security_trail?event=sign-in-failed", "/security_trail?person=500"],
  ...["/webhooks/1/deliveries", "/webhooks/1/deliveries?state=failed", "/webhooks/1/deliveries?event=request.create"],
  ...["/dead_jobs", "/audit_lines?record=500000", "/audit_lines?person=500", "/audit_lines?audited=request"],
];

/** The lists of a type: the collection, its predefined filters, and those below a record. */
function listPaths(type: RecordType, below: number): string[] {
  if (type.routes.singleton || type.routes.onlyThroughLinks) return [];
  if (type.ownedBy.length > 0 && !type.routes.hasOwnCollection) return [];
  const names = [type.links, type.children, type.lists].flatMap((lists) => Object.keys(lists));
  return [
    `/${type.collection}`,
    ...Object.keys(type.views).map((view) => `/${type.collection}/${view}`),
    ...names.map((name) => `/${type.collection}/${below}/${name}`),
  ];
}

async function call(base: string, path: string, { headers }: Reader) {
  const begun = performance.now();
  const response = await fetch(`${base}${path}`, { headers });
  const body = await response.text();
  return { status: response.status, headers: response.headers, body, milliseconds: performance.now() - begun };
}

/** Null: the reader may not, or there is no such list. */
async function measureList(base: string, path: string, reader: Reader): Promise<Times | null> {
  const { status, milliseconds: first } = await call(base, path, reader);
  if (status === 403 || status === 404) return null;
  const times: number[] = [];
  if (status === 200) for (let n = 0; n < repetitions; n++) times.push((await call(base, path, reader)).milliseconds);
  return { first, again: status === 200 ? pickMedian(times) : Number.POSITIVE_INFINITY };
}

const pickMedian = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] as number;

export async function measureLists(base: string, readers: readonly Reader[], say: (line: string) => void, only = "") {
  const paths = [...register.flatMap((type) => listPaths(type, 500)), ...administrationLists];
  const measured: Measured[] = [];
  for (const list of paths.filter((path) => path.includes(only))) {
    const times: Measured["times"] = [];
    for (const reader of readers) times.push(await measureList(base, list, reader));
    if (times.every((each) => each === null)) continue;
    measured.push({ list, times });
    say(`${list}: ${times.map(showTimes).join(", ")}`);
  }
  return measured;
}

const showTimes = (times: Times | null): string =>
  times === null ? "–" : `${times.first.toFixed(0)} / ${times.again.toFixed(0)}`;

/** The lists that exceed the limit for one of the readers, as a table; and what share does not. */
export function showLists(measured: readonly Measured[], readers: readonly Reader[]): string {
  const isSlow = (times: Times | null) => times !== null && Math.max(times.first, times.again) > limit;
  const slow = measured.filter(({ times }) => times.some(isSlow));
  const again = measured.filter(({ times }) => times.some((each) => each !== null && each.again > limit));
  return [
    `${measured.length} lists; ${slow.length} take longer than ${limit} ms for a reader at first, ${again.length} again`,
    `| List, ms at first / again | ${readers.map(({ who }) => who).join(" | ")} |`,
    `|---|${readers.map(() => "---|").join("")}`,
    ...slow.map(({ list, times }) => `| ${list} | ${times.map(showTimes).join(" | ")} |`),
  ].join("\n");
}

/** Follows `next` from the beginning and from the depth of the list; milliseconds a page of 100. */
export async function measureWalks(base: string, reader: Reader, types: readonly RecordType[]): Promise<string> {
  const pages = 30;
  const walk = async (from: string): Promise<{ time: string; pagesInAll: number }> => {
    const times: number[] = [];
    let pagesInAll = 0;
    let next: string | null = from;
    for (let page = 0; page < pages && next !== null; page++) {
      const { headers, milliseconds } = await call("", next, reader);
      if (page > 0) times.push(milliseconds);
      pagesInAll = Number(headers.get("x-pagination-total-pages"));
      next = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? null;
    }
    return { time: times.length === 0 ? "–" : pickMedian(times).toFixed(1), pagesInAll };
  };
  const lines = [
    "| Walk, ms a page of 100 | pages | from the beginning | from page 9,000, or the last pages |",
    "|---|---|---|---|",
  ];
  for (const { collection } of types) {
    const first = await walk(`${base}/${collection}?per_page=100`);
    const deepest = Math.min(9000, first.pagesInAll - pages);
    const deep = deepest > pages ? await walk(`${base}/${collection}?per_page=100&page=${deepest}`) : { time: "–" };
    lines.push(`| /${collection} | ${first.pagesInAll} | ${first.time} | ${deep.time} |`);
  }
  return lines.join("\n");
}

/** The plans that auto_explain wrote since the given moment. */
export function readPlans(directory: string, since: Date): string[] {
  const log = join(directory, "postgres/log");
  const text = readdirSync(log)
    .toSorted()
    .map((name) => readFileSync(join(log, name), "utf8"))
    .join("");
  return text
    .split(/\n(?=\d{4}-\d\d-\d\d )/)
    .filter((entry) => entry.includes("duration:") && entry.includes("plan:"))
    .filter((entry) => new Date(`${entry.slice(0, 19)}Z`) >= since);
}
