import type pg from "pg";
import { createRandom, type LoadMeasurement } from "./load-generator.ts";
import type { WireRelay } from "./wire-relay.ts";
import { buildAddress, type Workload } from "./workloads.ts";

// The costs of a call besides time: statements, round trips to the database, and bytes of its write-ahead log.

/** Processor time of a call in milliseconds: of the server, and of the database on its behalf. */
export type ProcessorTime = { server: number; database: number };
export type Measurement = LoadMeasurement & { processor: ProcessorTime; wal: number };
/** The minimum of several calls: other work of the server only adds to it. */
export type CallCounts = { statements: number; roundTrips: number };
export type WorkloadResult = {
  workload: Workload;
  ours: Measurement;
  bare: Measurement;
  counts: { ours: CallCounts; bare: CallCounts };
};

const countedCalls = 15;

/** Counts calls of every workload, one after the other, by way of the relay. */
export async function countCalls(
  relay: WireRelay,
  base: string,
  headers: Record<string, string>,
  works: readonly Workload[],
  requests: number,
): Promise<Map<Workload, CallCounts>> {
  const counts = new Map<Workload, CallCounts>();
  for (const workload of works) {
    const random = createRandom(99);
    const least = { statements: Number.POSITIVE_INFINITY, roundTrips: Number.POSITIVE_INFINITY };
    for (let call = 0; call < countedCalls; call++) {
      const next = workload.next(random, requests);
      const { method, body } = next;
      const sent =
        body === undefined ? { headers } : { headers: { ...headers, "Content-Type": "application/json" }, body };
      const { statements, roundTrips } = await relay.count(async () =>
        (await fetch(buildAddress(base, next), { method, ...sent })).arrayBuffer(),
      );
      // The first calls of a server prepare statements and fill caches, and a change that changes nothing is no change.
      if (call < 5 || statements < minimumStatements(method)) continue;
      least.statements = Math.min(least.statements, statements);
      least.roundTrips = Math.min(least.roundTrips, roundTrips);
    }
    counts.set(workload, least);
  }
  return counts;
}

const minimumStatements = (method: string): number => (method === "PATCH" ? 1 : 0);

/** The position of the write-ahead log, in bytes. */
export async function readWalPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: string }>(
    "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS position",
  );
  return Number(rows[0]?.position);
}

const sum = ({ server, database }: ProcessorTime): number => server + database;
/** How much more processor time ours takes. */
export const getCostRatio = ({ ours, bare }: Pick<WorkloadResult, "ours" | "bare">): number =>
  sum(ours.processor) / sum(bare.processor);

const formatTime = ({ processor: { server, database } }: Measurement): string =>
  `${server.toFixed(2)} + ${database.toFixed(2)}`;
const formatKilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);

/** Our cost of a call as the tables grow: `measured` in the order of the sizes. */
export function formatGrowth(sizes: readonly number[], measured: readonly (readonly WorkloadResult[])[]): string {
  const head = `| Work | ${sizes.map((size) => `${size.toLocaleString("en")} requests, ms`).join(" | ")} | cost grows by |`;
  const lines = (measured[0] ?? []).map(({ workload: { name, what } }, index) => {
    const ours = measured.map((results) => (results[index] as WorkloadResult).ours);
    const [first, last] = [ours[0] as Measurement, ours.at(-1) as Measurement];
    const growth = (sum(last.processor) / sum(first.processor)).toFixed(2);
    return `| ${name} ${what} | ${ours.map(formatTime).join(" | ")} | ${growth} |`;
  });
  return [head, `|---|${sizes.map(() => "---|").join("")}---|`, ...lines].join("\n");
}

/** Two tables: processor time and rates; what a call sends and writes. */
export function formatResults(results: readonly WorkloadResult[]): string {
  const costs = results.map((result) => {
    const { workload, ours, bare } = result;
    const cells = [
      `${workload.name} ${workload.what}`,
      formatTime(ours),
      formatTime(bare),
      getCostRatio(result).toFixed(2),
      workload.budget,
      ...[ours, bare].flatMap(({ perSecond, p50, p99 }) => [Math.round(perSecond), p50.toFixed(1), p99.toFixed(1)]),
      (ours.perSecond / bare.perSecond).toFixed(2),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const sent = results.map(({ workload, ours, bare, counts }) => {
    const cells = [
      workload.name,
      ...[counts.ours, counts.bare].flatMap(({ statements, roundTrips }) => [statements, roundTrips]),
      ...[ours, bare].map(({ wal }) => formatKilobytes(wal)),
      ...[ours, bare].map(({ bytes }) => formatKilobytes(bytes)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Work | ours ms, server + database | bare ms | ratio | budget | ours /s | p50 ms | p99 ms | bare /s | p50 ms | p99 ms | ratio of rates |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...costs,
    "",
    "| Work | statements, ours | round trips | statements, bare | round trips | KB of log, ours | bare | KB of answer, ours | bare |",
    "|---|---|---|---|---|---|---|---|---|",
    ...sent,
  ].join("\n");
}
