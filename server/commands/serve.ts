import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { checkSettings } from "./serve/preflight.ts";
import { listenForSignals } from "./serve/signals.ts";
import { type RunningParts, startServer, stopServer, stopTimeout } from "./serve/start.ts";
import { runWorker } from "./serve/worker-process.ts";

export const serve = defineCommand({
  name: "serve",
  summary: "Start the server.",
  details:
    "Makes or migrates the database first; an empty one gets the demo company when ENVIRONMENT is demo.\n" +
    "MAIL_PORT receives mail over SMTP; MAIL_HOST, MAIL_SIZE, MAIL_PER_HOUR and MAIL_TRUSTED_AUTHSERV belong to it.\n" +
    "docs/operations.md lists all settings.\n" +
    "WORKERS is the number of processes that share the port. With several, SIGHUP replaces them one after another.\n" +
    "SIGTERM or Ctrl-C stops it: what runs is finished, within ten seconds. A second signal ends it at once.\n" +
    "With DRAIN_SECONDS it first says for so long that it is not ready, and goes on serving.",
  example: "npm start (or with settings: PORT=9000 ENVIRONMENT=production npm start)",
  async run(_given, terminal) {
    const configuration = loadConfiguration(terminal);
    checkSettings(configuration);
    if (cluster.isWorker) return runWorker(configuration, Number(terminal.env.WORKER_NUMBER), terminal.env);
    const parts: RunningParts = {
      tracing: null,
      database: null,
      shipper: null,
      service: null,
      workers: null,
      laterWork: null,
    };
    const { stopRequested, abortSignal, release } = listenForSignals(terminal.say, () => {
      const { workers } = parts;
      return workers === null ? null : () => void workers.reload();
    });
    const started = startServer(configuration, terminal, parts, abortSignal);
    try {
      await Promise.race([stopRequested, started.then(({ lost }) => Promise.race([stopRequested, lost]))]);
    } finally {
      // A stop during the start waits for the current step.
      await Promise.race([started.catch(() => {}), pause(stopTimeout, undefined, { ref: false })]);
      await stopServer(parts, configuration, terminal.say);
      release();
    }
    return 0;
  },
});
