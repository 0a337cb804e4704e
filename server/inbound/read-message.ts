import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { type InboundMessage, UnreadableMessage } from "./message.ts";

// Reading a mail is work that a stranger gives us. A thread with little memory and little time does it: however the
// message is made, the server goes on meanwhile. The thread stays for the next message and ends when none comes.

const timeLimit = 20_000;
const idleMilliseconds = 10_000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

type WorkerAnswer = { message?: InboundMessage; reason?: string };

let worker: Worker | null = null;
let idleTimer: NodeJS.Timeout | undefined;
let pendingRead: Promise<unknown> = Promise.resolve();

/** One at a time. The bytes are handed over: the caller has them no more. */
export function readMessage(raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  const mine = pendingRead.then(() => readInWorker(raw));
  pendingRead = mine.catch(() => {});
  return mine;
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
    // An error that nobody waits for must not end the process.
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
  const hear = ({ message, reason = "" }: WorkerAnswer) =>
    message === undefined ? giveUp(describeReason(reason)) : resolve(message);
  const fail = (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY" ? giveUp("it takes too much memory to read") : reject(error);
  const gone = () => giveUp("it could not be read");
  reader.on("message", hear).on("error", fail).on("exit", gone);
  reader.postMessage({ raw, nonce: randomBytes(8).toString("hex") }, [raw.buffer]);
  return promise.finally(() => {
    clearTimeout(timer);
    reader.off("message", hear).off("exit", gone);
    reader.off("error", fail);
  });
}

/** The limits of the parser, in words of ours. */
function describeReason(reason: string): string {
  if (/nesting depth/i.test(reason)) return "its parts are nested too deeply";
  if (/header/i.test(reason)) return "its headers are too large";
  return `it could not be read: ${reason.slice(0, 200)}`;
}
