import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { type InboundMessage, UnreadableMessage } from "./message.ts";

// Mails come from strangers and may be built to exhaust the parser. A worker thread with limited memory and time parses
// them, so the server keeps running. It serves further messages and ends when idle.

const timeLimit = 20_000;
const idleMilliseconds = 10_000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

type WorkerAnswer = { message?: InboundMessage; reason?: string };

let worker: Worker | null = null;
let idleTimer: NodeJS.Timeout | undefined;
let pendingRead: Promise<unknown> = Promise.resolve();

/** Parses one message at a time. The buffer is transferred: the caller cannot use it afterwards. */
export function readMessage(raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  const read = pendingRead.then(() => readInWorker(raw));
  pendingRead = read.catch(() => {});
  return read;
}

async function readInWorker(raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  clearTimeout(idleTimer);
  worker ??= startWorker();
  const reader = worker;
  try {
    const message = await awaitAnswer(reader, raw);
    idleTimer = setTimeout(stopWorker, idleMilliseconds).unref();
    reader.unref();
    return message;
  } catch (error) {
    stopWorker();
    throw error;
  }
}

const startWorker = (): Worker =>
  new Worker(new URL("./parse-worker.ts", import.meta.url), { resourceLimits: memory, execArgv: [], env: {} })
    // An unhandled "error" event would end the process.
    .on("error", () => {});

function stopWorker(): void {
  void worker?.terminate();
  worker = null;
}

function awaitAnswer(reader: Worker, raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  reader.ref();
  const { promise, resolve, reject } = Promise.withResolvers<InboundMessage>();
  const giveUp = (reason: string) => reject(new UnreadableMessage(reason));
  const timer = setTimeout(() => giveUp("it takes too long to read"), timeLimit);
  const onMessage = ({ message, reason = "" }: WorkerAnswer) =>
    message === undefined ? giveUp(describeReason(reason)) : resolve(message);
  const onError = (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY" ? giveUp("it takes too much memory to read") : reject(error);
  const onExit = () => giveUp("it could not be read");
  reader.on("message", onMessage).on("error", onError).on("exit", onExit);
  reader.postMessage({ raw, nonce: randomBytes(8).toString("hex") }, [raw.buffer]);
  return promise.finally(() => {
    clearTimeout(timer);
    reader.off("message", onMessage).off("exit", onExit);
    reader.off("error", onError);
  });
}

/** Rewords the errors of the parser about its limits. */
function describeReason(reason: string): string {
  if (/nesting depth/i.test(reason)) return "its parts are nested too deeply";
  if (/header/i.test(reason)) return "its headers are too large";
  return `it could not be read: ${reason.slice(0, 200)}`;
}
