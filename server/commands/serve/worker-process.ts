import { once } from "node:events";
import { Server as NetServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { MetricsSnapshot, WorkerGroup } from "../../api/http/health.ts";
import { closeConnectionsWithNextAnswer } from "../../api/http/server.ts";
import type { Configuration } from "../../base/configuration.ts";
import { createJsonLog } from "../../base/log.ts";
import { startTracing } from "../../base/tracing/otlp.ts";
import { divideShare, fullShare } from "../../database/lanes/connection-counts.ts";
import { warmUpReads } from "../../engine/read/warm-up.ts";
import { verifySchema } from "../../schema/migrate.ts";
import { assembleService, type Service } from "../../service.ts";
import { describeReason } from "../command-line/failure.ts";
import { explainListenError } from "./preflight.ts";
import { announceStop, stopTimeout } from "./start.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

// A worker: serves the port beside others. The first process has prepared the database and decides when it ends.

/** How long clients get to notice that their connections end here. */
const drainMilliseconds = 3000;
const countTimeout = 1000;

export async function runWorker(
  configuration: Configuration,
  worker: number,
  env: Record<string, string | undefined>,
): Promise<number> {
  const log = createJsonLog((line) => process.stderr.write(line));
  const send = (message: FromWorker) => void process.send?.(message);
  const stop = Promise.withResolvers<{ drains: boolean; announces: boolean }>();
  // Ctrl-C reaches every process of the terminal; the first one controls the workers.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  for (const end of ["SIGTERM", "disconnect"] as const)
    process.on(end, () => stop.resolve({ drains: false, announces: false }));
  const questions = new Map<number, (answer: { snapshots: readonly MetricsSnapshot[]; restarts: number }) => void>();
  let lastQuestion = 0;
  const group: WorkerGroup = {
    worker,
    collectMetrics: (own) =>
      new Promise((resolve) => {
        const question = ++lastQuestion;
        questions.set(question, resolve);
        setTimeout(() => resolve({ snapshots: [own], restarts: 0 }), countTimeout).unref();
        send({ kind: "count", question });
      }),
  };
  try {
    const tracing = await startTracing(env);
    const databaseUrl = configuration.databaseUrl as string;
    const schemaDifferences = await verifySchema(databaseUrl);
    const share = configuration.databaseConnections ?? fullShare;
    const connections = divideShare(share);
    const service = await assembleService({ configuration, databaseUrl, log, schemaDifferences, group, connections });
    process.on("message", (message: ToWorker) => {
      if (message.kind === "stop") stop.resolve(message);
      if (message.kind === "count")
        send({ kind: "counted", question: message.question, snapshot: service.takeMetricsSnapshot() });
      if (message.kind === "counts") {
        questions.get(message.question)?.(message);
        questions.delete(message.question);
      }
    });
    const port = await service.start();
    warmUpReads(service.engine).catch(() => {}); // without it the first reads take longer
    send({ kind: "ready", port, mailPort: service.mailListener?.port ?? null });
    const { drains, announces } = await stop.promise;
    if (announces) await announceStop(service, configuration);
    if (drains) await drain(service);
    await Promise.race([service.stop(), pause(stopTimeout)]);
    await tracing?.stop();
    return 0;
  } catch (error) {
    send({ kind: "failed", message: describeReason(explainListenError(error, configuration)) });
    return 1;
  }
}

/**
 * Closing a connection immediately would lose a request that is on its way. So the worker accepts no new connections, sends
 * `Connection: close` with every response, and waits a moment for the others to become idle.
 */
async function drain({ app: { server } }: Service): Promise<void> {
  closeConnectionsWithNextAnswer(server);
  NetServer.prototype.close.call(server); // that of HTTP would close idle connections, too
  const closed = once(server, "close");
  await Promise.race([closed, pause(drainMilliseconds)]);
}
