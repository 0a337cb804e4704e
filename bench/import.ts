import { readdirSync, readFileSync } from "node:fs";
import { createRandom } from "./load-generator.ts";

// Import speed: people, and configuration items that refer to products, teams, sites and people, sent as one
// file each and followed until they are done. Processor time is printed next to wall time, because other programs
// on the machine affect only the latter.

const budget = 1500;

type Server = { base: string; headers: Record<string, string>; pid: number };

export async function measureImport(server: Server, rows: number, say: (line: string) => void): Promise<string> {
  for (const [type, file] of [
    ["product_categories", buildProductCategories()],
    ["products", buildProducts()],
  ] as const)
    await runImport(server, type, file);
  const resting = Math.round(readResidentMemory(server.pid));
  const lines = ["| Import | rows | rows/s | budget | server ms a row | database ms a row | memory MB |"];
  lines.push("|---|---|---|---|---|---|---|");
  for (const [type, what, file] of [
    ["people", "new", buildPeople(rows)],
    ["cis", "new", buildCis(rows)],
    ["people", "changed", buildPeople(rows, "Other")],
    ["people", "unchanged", buildPeople(rows, "Other")],
  ] as const) {
    const used = () => ({ ours: readProcessorSeconds(server.pid), theirs: readDatabaseSeconds() });
    const [before, begun] = [used(), performance.now()];
    const { memory } = await runImport(server, type, file, say);
    const [seconds, after] = [(performance.now() - begun) / 1000, used()];
    const each = (one: number, other: number) => (((other - one) * 1000) / rows).toFixed(2);
    const cells = [
      ...[`${type}, ${what}`, rows, Math.round(rows / seconds), what === "new" ? budget : ""],
      ...[each(before.ours, after.ours), each(before.theirs, after.theirs), memory],
    ];
    lines.push(`| ${cells.join(" | ")} |`);
    say(lines.at(-1) as string);
  }
  return `${lines.join("\n")}\n\nMemory before: ${resting} MB`;
}

async function runImport({ base, headers, pid }: Server, type: string, file: string, say = (_: string) => {}) {
  const form = new FormData();
  form.set("type", type);
  form.set("file", new Blob([file]), `${type}.csv`);
  const begun = await fetch(`${base}/import`, { method: "POST", headers, body: form });
  const { token } = (await begun.json()) as { token: string };
  let memory = 0;
  for (;;) {
    const state = (await (await fetch(`${base}/import/${token}`, { headers })).json()) as {
      state: string;
      results: { failures: number; errors: number };
      logfile: string;
    };
    memory = Math.max(memory, Math.round(readResidentMemory(pid)));
    if (state.state === "done" && state.results.failures + state.results.errors === 0) return { memory };
    if (state.state === "done" || state.state === "error")
      throw new Error(`${type}: ${JSON.stringify(state)}, ${await loadFirstLines(state.logfile)}`);
    say(`${type} ${JSON.stringify(state)} ${memory} MB`);
  }
}

const loadFirstLines = async (logfile: string) =>
  (await (await fetch(logfile)).text()).split("\n").slice(0, 5).join(" ");

const buildCsv = (headers: string, rows: number, row: (n: number) => (string | number)[]): string =>
  [headers, ...Array.from({ length: rows }, (_, index) => row(index + 1).join(","))].join("\n");

const buildProductCategories = () =>
  buildCsv("Group,Name,Rule Set", 10, (n) => ["Hardware", `Category ${n}`, "physical_asset"]);
const buildProducts = () =>
  buildCsv("Name,Brand,Model,Category,Support Team,Service", 100, (n) => [
    ...[
      `Product ${n}`,
      `Brand ${n % 7}`,
      `Model ${n}`,
      `hardware/category_${1 + (n % 10)}`,
      `Team ${1 + (n % 50)}`,
      `Service ${1 + (n % 20)}`,
    ],
  ]);

const buildPeople = (rows: number, job = "Job"): string => {
  const random = createRandom(1);
  const one = (of: string, many: number) => `${of} ${1 + Math.floor(random() * many)}`;
  const headers =
    "Primary Email,Name,Source,Source ID,Organization,Site,Manager,Job Title,Employee ID,Time Zone,VIP,Information";
  return buildCsv(headers, rows, (n) => [
    ...[`new${n}@bench.example`, `Newcomer ${n}`, "HR", `N${n}`, one("Organization", 50), one("Site", 20)],
    `person${1 + Math.floor(random() * 1000)}@bench.example`,
    ...[one(job, 40), `E${n}`, "Amsterdam", n % 100 === 0 ? 1 : 0, `"Joined in ${2000 + (n % 26)}, knows the house"`],
  ]);
};

const buildCis = (rows: number): string => {
  const random = createRandom(2);
  const one = (of: string, many: number) => `${of} ${1 + Math.floor(random() * many)}`;
  const headers =
    "Label,Name,Product,Status,Source,Source ID,Serial Number,Asset ID,Site,Location,In Use Since,Purchase Value";
  return buildCsv(headers, rows, (n) => [
    ...[`CI${String(n).padStart(7, "0")}`, `Thing ${n}`, one("Product", 100), "in_production", "Discovery", `D${n}`],
    ...[`SN-${n}`, `A${n}`, one("Site", 20), one("Room", 300), `2025-0${1 + (n % 9)}-15`, `${100 + (n % 900)}.50`],
  ]);
};

const readResidentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

/** Processor time of a process, its ended children included. */
export function readProcessorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / 100;
}

/** Of every process of the embedded database that this one started. */
export function readDatabaseSeconds(): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      if (stat.includes("(postgres)")) parents.set(Number(name), Number(stat.split(") ").at(-1)?.split(" ")[1]));
    } catch {} // ended meanwhile
  const isOurs = (pid: number): boolean => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isOurs).reduce((sum, pid) => sum + readProcessorSeconds(pid), 0);
}
