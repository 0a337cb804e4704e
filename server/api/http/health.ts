import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { countJobs } from "../../queue/jobs.ts";
import type { EntranceConfig } from "./admission/http-admission.ts";
import { getClientAddress, isLoopback } from "./origin.ts";
import type { Api } from "./pipeline.ts";
import type { Readiness } from "./readiness.ts";

// Liveness, readiness and metrics for monitoring.

const bucketBounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];

/** The counters of one process. */
export type MetricsSnapshot = {
  /** which one it is, where several serve the port */
  worker: number | null;
  process: number;
  byStatus: readonly (readonly [status: number, count: number])[];
  buckets: readonly number[];
  count: number;
  sum: number;
  memory: number;
  cpuSeconds: number;
  startedAt: number;
};

/** The processes that serve the port together. */
export type WorkerGroup = {
  /** the number of this one */
  worker: number;
  /** what all of them have counted, and how often one of them was restarted */
  collectMetrics(own: MetricsSnapshot): Promise<{ snapshots: readonly MetricsSnapshot[]; restarts: number }>;
};

export class Metrics {
  private readonly byStatus = new Map<number, number>();
  private readonly buckets = bucketBounds.map(() => 0);
  private count = 0;
  private sum = 0;

  observe = (status: number, milliseconds: number): void => {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.count++;
    this.sum += milliseconds;
    for (let i = 0; i < bucketBounds.length; i++)
      if (milliseconds <= (bucketBounds[i] as number)) this.buckets[i] = (this.buckets[i] as number) + 1;
  };

  takeSnapshot(worker: number | null = null): MetricsSnapshot {
    const { byStatus, buckets, count, sum } = this;
    const cpu = process.cpuUsage();
    return {
      ...{ worker, process: process.pid, byStatus: [...byStatus], buckets, count, sum },
      memory: process.memoryUsage.rss(),
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      startedAt: Math.floor(Date.now() / 1000 - process.uptime()),
    };
  }
}

type JobCounts = { due: number; failing: number; dead: number };

/** The text that Prometheus reads. Each worker has its own series: their counters restart separately. */
export function renderMetrics(
  snapshots: readonly MetricsSnapshot[],
  jobs: JobCounts,
  restarts: number | null = null,
): string {
  const name = (of: string, { worker }: MetricsSnapshot, ...labels: readonly string[]): string => {
    const all = [...labels, ...(worker === null ? [] : [`worker="${worker}"`])];
    return all.length === 0 ? of : `${of}{${all.join(",")}}`;
  };
  const each = (render: (one: MetricsSnapshot) => readonly string[]): string[] => snapshots.flatMap(render);
  const duration = "steward_request_duration_seconds";
  return `${[
    "# HELP steward_requests_total Answers of the API, by status.",
    "# TYPE steward_requests_total counter",
    ...each((one) =>
      one.byStatus
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${name("steward_requests_total", one, `status="${status}"`)} ${count}`),
    ),
    `# HELP ${duration} Time from the first byte of a request to its answer.`,
    `# TYPE ${duration} histogram`,
    ...each((one) => [
      ...bucketBounds.map(
        (bound, index) => `${name(`${duration}_bucket`, one, `le="${bound / 1000}"`)} ${one.buckets[index]}`,
      ),
      `${name(`${duration}_bucket`, one, 'le="+Inf"')} ${one.count}`,
      `${name(`${duration}_sum`, one)} ${(one.sum / 1000).toFixed(6)}`,
      `${name(`${duration}_count`, one)} ${one.count}`,
    ]),
    "# HELP steward_jobs_due Jobs that wait to be run now.",
    "# TYPE steward_jobs_due gauge",
    `steward_jobs_due ${jobs.due}`,
    "# HELP steward_jobs_failing Due jobs that failed at least once.",
    "# TYPE steward_jobs_failing gauge",
    `steward_jobs_failing ${jobs.failing}`,
    "# HELP steward_jobs_dead Jobs that failed too often and wait for an administrator to retry them.",
    "# TYPE steward_jobs_dead gauge",
    `steward_jobs_dead ${jobs.dead}`,
    ...(restarts === null
      ? []
      : [
          "# HELP steward_worker_restarts_total How often a worker ended by itself and was started again.",
          "# TYPE steward_worker_restarts_total counter",
          `steward_worker_restarts_total ${restarts}`,
          "# TYPE steward_worker_info gauge",
          ...each((one) => [`${name("steward_worker_info", one, `process="${one.process}"`)} 1`]),
        ]),
    "# TYPE process_resident_memory_bytes gauge",
    ...each((one) => [`${name("process_resident_memory_bytes", one)} ${one.memory}`]),
    "# TYPE process_cpu_seconds_total counter",
    ...each((one) => [`${name("process_cpu_seconds_total", one)} ${one.cpuSeconds.toFixed(3)}`]),
    "# TYPE process_start_time_seconds gauge",
    ...each((one) => [`${name("process_start_time_seconds", one)} ${one.startedAt}`]),
  ].join("\n")}\n`;
}

export function registerHealthRoutes(
  api: Api,
  app: FastifyInstance,
  metrics: Metrics,
  readiness: Pick<Readiness, "findProblems">,
  group: WorkerGroup | null = null,
): void {
  const config: EntranceConfig = { isExempt: true };
  app.get("/health/live", { config }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send('{"status":"live"}'),
  );
  app.get("/health/ready", { config }, async (_request, reply) => {
    const problems = await readiness.findProblems();
    return reply
      .code(problems.length === 0 ? 200 : 503)
      .type("application/json; charset=utf-8")
      .send(
        problems.length === 0
          ? '{"status":"ready"}'
          : JSON.stringify({ status: "not ready", message: "Service Unavailable", problems }),
      );
  });
  app.get("/metrics", { config }, async (request, reply) => {
    const { metricsToken } = api.configuration;
    const sent = Buffer.from(String(request.headers.authorization ?? "").replace(/^bearer +/i, ""));
    const wanted = Buffer.from(metricsToken ?? "");
    const knowsToken = metricsToken !== null && sent.length === wanted.length && timingSafeEqual(sent, wanted);
    if (!knowsToken && !(metricsToken === null && isLoopback(getClientAddress(api.configuration, request.raw))))
      return reply.code(403).type("application/json; charset=utf-8").send('{"message":"Forbidden"}');
    const jobs = await countJobs(api.engine.database, api.engine.clock.now());
    const own = metrics.takeSnapshot(group?.worker);
    const { snapshots, restarts } = (await group?.collectMetrics(own)) ?? { snapshots: [own], restarts: null };
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(renderMetrics(snapshots, jobs, restarts));
  });
}
