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
  thread ??= new Worker(new URL("./parse-thread.ts", import.meta.url), {
    resourceLimits: memory,
    execArgv: [],
    env: {},
  });
  const reader = thread;
  try {
    const message = await answerOf(reader, raw);
    ending = setTimeout(end, idle).unref();
    reader.unref();
    return message;
  } catch (error) {
    end();
    throw error;
  } finally {
    reader.removeAllListeners();
  }
}

function end(): void {
  void thread?.terminate();
  thread = null;
}

function answerOf(reader: Worker, raw: Uint8Array<ArrayBuffer>): Promise<Message> {
  reader.ref();
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Message>((resolve, reject) => {
    const giveUp = (reason: string) => reject(new Unreadable(reason));
    timer = setTimeout(() => giveUp("it takes too long to read"), patience);
    reader.once("message", ({ message, reason = "" }: Answer) => {
      if (message !== undefined) resolve(message);
      else giveUp(plainly(reason));
    });
    reader.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") giveUp("it takes too much memory to read");
      else reject(error);
    });
    reader.once("exit", () => giveUp("it could not be read"));
    reader.postMessage({ raw, nonce: randomBytes(8).toString("hex") }, [raw.buffer]);
  }).finally(() => clearTimeout(timer));
}

/** The limits of the parser, in words of ours. */
function plainly(reason: string): string {
  if (/nesting depth/i.test(reason)) return "its parts are nested too deeply";
  if (/header/i.test(reason)) return "its headers are too large";
  return `it could not be read: ${reason.slice(0, 200)}`;
}
