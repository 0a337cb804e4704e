import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { countJobs } from "../../queue/jobs.ts";
import type { EntranceConfig } from "./admission/http-admission.ts";
import { getClientAddress, isLoopback } from "./origin.ts";
import type { Api } from "./pipeline.ts";
import type { Readiness } from "./readiness.ts";

// Liveness, readiness and metrics for monitoring.

const bucketBounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];

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

  render(jobs: { due: number; failing: number; dead: number }): string {
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    return `${[
      "# HELP steward_requests_total Answers of the API, by status.",
      "# TYPE steward_requests_total counter",
      ...[...this.byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `steward_requests_total{status="${status}"} ${count}`),
      "# HELP steward_request_duration_seconds Time from the first byte of a request to its answer.",
      "# TYPE steward_request_duration_seconds histogram",
      ...bucketBounds.map(
        (bound, index) => `steward_request_duration_seconds_bucket{le="${bound / 1000}"} ${this.buckets[index]}`,
      ),
      `steward_request_duration_seconds_bucket{le="+Inf"} ${this.count}`,
      `steward_request_duration_seconds_sum ${(this.sum / 1000).toFixed(6)}`,
      `steward_request_duration_seconds_count ${this.count}`,
      "# HELP steward_jobs_due Jobs that wait to be run now.",
      "# TYPE steward_jobs_due gauge",
      `steward_jobs_due ${jobs.due}`,
      "# HELP steward_jobs_failing Due jobs that failed at least once.",
      "# TYPE steward_jobs_failing gauge",
      `steward_jobs_failing ${jobs.failing}`,
      "# HELP steward_jobs_dead Jobs that failed too often and wait for an administrator to retry them.",
      "# TYPE steward_jobs_dead gauge",
      `steward_jobs_dead ${jobs.dead}`,
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${memory.rss}`,
      "# TYPE process_cpu_seconds_total counter",
      `process_cpu_seconds_total ${((cpu.user + cpu.system) / 1e6).toFixed(3)}`,
      "# TYPE process_start_time_seconds gauge",
      `process_start_time_seconds ${Math.floor(Date.now() / 1000 - process.uptime())}`,
    ].join("\n")}\n`;
  }
}

export function registerHealthRoutes(
  api: Api,
  app: FastifyInstance,
  metrics: Metrics,
  readiness: Pick<Readiness, "findProblems">,
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
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.render(jobs));
  });
}
