import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { type Message, Unreadable } from "./message.ts";

// Reading a mail is work that a stranger gives us. A thread with little memory and little time does it: however the
// message is made, the server goes on meanwhile. The thread stays for the next message and ends when none comes.

const patience = 20_000;
const idle = 10_000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

type Answer = { message?: Message; reason?: string };

let thread: Worker | null = null;
let ending: NodeJS.Timeout | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** One at a time. The bytes are handed over: the caller has them no more. */
export function readMessage(raw: Uint8Array<ArrayBuffer>): Promise<Message> {
  const mine = turn.then(() => read(raw));
  turn = mine.catch(() => {});
  return mine;
}

async function read(raw: Uint8Array<ArrayBuffer>): Promise<Message> {
  clearTimeout(ending);
  thread ??= started();
  const reader = thread;
  try {
    const message = await answerOf(reader, raw);
    ending = setTimeout(end, idle).unref();
    reader.unref();
    return message;
  } catch (error) {
    end();
    throw error;
  }
}

const started = (): Worker =>
  new Worker(new URL("./parse-thread.ts", import.meta.url), { resourceLimits: memory, execArgv: [], env: {} })
    // An error that nobody waits for must not end the process.
    .on("error", () => {});

function end(): void {
  void thread?.terminate();
  thread = null;
}

function answerOf(reader: Worker, raw: Uint8Array<ArrayBuffer>): Promise<Message> {
  reader.ref();
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const giveUp = (reason: string) => reject(new Unreadable(reason));
  const timer = setTimeout(() => giveUp("it takes too long to read"), patience);
  const hear = ({ message, reason = "" }: Answer) =>
    message === undefined ? giveUp(plainly(reason)) : resolve(message);
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
function plainly(reason: string): string {
  if (/nesting depth/i.test(reason)) return "its parts are nested too deeply";
  if (/header/i.test(reason)) return "its headers are too large";
  return `it could not be read: ${reason.slice(0, 200)}`;
}
