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
    "Creates or migrates the database first. If ENVIRONMENT is demo, an empty database gets the demo company.\n" +
    "Set MAIL_PORT to receive email over SMTP (see also MAIL_HOST, MAIL_SIZE, MAIL_PER_HOUR, MAIL_TRUSTED_AUTHSERV).\n" +
    "docs/operations.md lists all settings.\n" +
    "WORKERS sets how many processes share the port. With more than one, SIGHUP restarts them one at a time.\n" +
    "SIGTERM or Ctrl-C shuts down gracefully within ten seconds. A second signal stops the server immediately.\n" +
    'With DRAIN_SECONDS, the server first reports "not ready" for that long while it keeps serving.',
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
