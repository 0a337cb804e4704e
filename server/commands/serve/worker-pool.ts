import cluster, { type Worker } from "node:cluster";
import type { MetricsSnapshot } from "../../api/http/health.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

// The processes that share the port (D-516). One that dies is started again, at first soon, then with growing pauses.

const firstPause = 100;
const longestPause = 10_000;
/** A worker that lived so long is no sign of a start that fails again and again. */
const longLife = 60_000;
const countTimeout = 500;

export type ReadyWorker = { port: number; mailPort: number | null };
type Slot = { number: number; worker: Worker | null; failures: number; timer: NodeJS.Timeout | null };

export class WorkerPool {
  private readonly slots: readonly Slot[];
  private readonly env: Record<string, string>;
  private readonly log: Log;
  private isStopping = false;
  private restarts = 0;
  private reloading: Promise<void> = Promise.resolve();
  private lastQuestion = 0;

  /** `env`: what the workers need to know beside the settings of this process */
  constructor(count: number, env: Record<string, string>, log: Log) {
    this.slots = Array.from({ length: count }, (_, at) => ({ number: at + 1, worker: null, failures: 0, timer: null }));
    this.env = env;
    this.log = log;
    // A second Ctrl-C ends everything immediately.
    process.once("exit", () => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGKILL");
    });
    // The workers accept connections themselves. Those that the first process hands over are lost without a word when the
    // worker dies in that moment; so are those that wait in front of a closed port of one worker (SO_REUSEPORT).
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: process.argv[1] as string, args: process.argv.slice(2), serialization: "json" });
  }

  /** Starts all of them. One that cannot start, because of the port for example, fails the start. */
  async start(): Promise<ReadyWorker> {
    const [first] = await Promise.all(this.slots.map((slot) => this.fork(slot)));
    return first as ReadyWorker;
  }

  private fork(slot: Slot): Promise<ReadyWorker> {
    const worker = cluster.fork({ ...this.env, WORKER_NUMBER: String(slot.number) });
    const startedAt = performance.now();
    const ready = Promise.withResolvers<ReadyWorker>();
    let failure = "the process exited";
    let isReady = false;
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "ready") {
        isReady = true;
        slot.worker = worker;
        ready.resolve(message);
      }
      if (message.kind === "failed") failure = message.message;
      if (message.kind === "count") void this.answerCount(worker, message.question);
    });
    worker.on("error", () => {}); // a message to a process that has just ended
    worker.once("exit", (code, signal) => {
      ready.reject(new OperatorError(isReady ? "the process exited" : failure));
      if (this.isStopping || slot.worker !== worker) return;
      slot.worker = null;
      this.log.error("a worker exited; restarting", { worker: slot.number, code, signal });
      if (performance.now() - startedAt > longLife) slot.failures = 0;
      this.restart(slot);
    });
    return ready.promise;
  }

  private restart(slot: Slot): void {
    this.restarts++;
    const pause = Math.min(longestPause, firstPause * 2 ** slot.failures++);
    slot.timer = setTimeout(() => {
      if (this.isStopping) return;
      this.fork(slot).then(
        () => this.log.info("a worker is running again", { worker: slot.number }),
        (error) => {
          this.log.error("a worker failed to start", { worker: slot.number, error: (error as Error).message });
          if (!this.isStopping) this.restart(slot);
        },
      );
    }, pause);
  }

  /** Replaces the workers one after another: each ends when its successor serves. */
  reload(): Promise<void> {
    this.reloading = this.reloading.then(async () => {
      for (const slot of this.slots) {
        const old = slot.worker;
        if (this.isStopping || old === null) continue;
        try {
          await this.fork(slot);
          this.log.info("a worker was replaced", { worker: slot.number });
          await endWorker(old, { drains: true, announces: false });
        } catch (error) {
          this.log.error("a worker was not replaced", { worker: slot.number, error: (error as Error).message });
          return; // the old ones keep running
        }
      }
    });
    return this.reloading;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const { timer } of this.slots) if (timer !== null) clearTimeout(timer);
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(
        (worker) => worker && endWorker(worker, { drains: false, announces: true }),
      ),
    );
  }

  /** Asks all workers what they have counted; one that does not answer in time is left out. */
  private async answerCount(asker: Worker, askedAs: number): Promise<void> {
    const question = ++this.lastQuestion;
    const workers = this.slots.flatMap(({ worker }) => (worker === null ? [] : [worker]));
    const snapshots = (await Promise.all(workers.map((worker) => askWorker(worker, question)))).filter(
      (each) => each !== null,
    );
    tell(asker, { kind: "counts", question: askedAs, snapshots, restarts: this.restarts });
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

function askWorker(worker: Worker, question: number): Promise<MetricsSnapshot | null> {
  return new Promise((resolve) => {
    const hear = (message: FromWorker) => {
      if (message.kind === "counted" && message.question === question) end(message.snapshot);
    };
    const end = (snapshot: MetricsSnapshot | null) => {
      clearTimeout(timer);
      worker.off("message", hear);
      resolve(snapshot);
    };
    const timer = setTimeout(() => end(null), countTimeout);
    worker.on("message", hear);
    tell(worker, { kind: "count", question });
  });
}

async function endWorker(worker: Worker, how: { drains: boolean; announces: boolean }): Promise<void> {
  if (worker.isDead()) return;
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  tell(worker, { kind: "stop", ...how });
  await gone;
}
