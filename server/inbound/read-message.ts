import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { type Message, Unreadable } from "./message.ts";

// Reading a mail is work that a stranger gives us. A thread with little memory and little time does it: however the
// message is made, the server goes on meanwhile.

const patience = 20_000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export function readMessage(raw: Uint8Array<ArrayBuffer>): Promise<Message> {
  const nonce = randomBytes(8).toString("hex");
  const thread = new Worker(new URL("./parse-thread.ts", import.meta.url), {
    workerData: { raw, nonce },
    resourceLimits: memory,
    execArgv: [],
    env: {},
  });
  return new Promise<Message>((resolve, reject) => {
    const giveUp = (reason: string) => reject(new Unreadable(reason));
    const timer = setTimeout(() => giveUp("it takes too long to read"), patience);
    thread.once("message", ({ message, reason }: { message?: Message; reason?: string }) => {
      if (message !== undefined) resolve(message);
      else giveUp(plainly(reason ?? ""));
    });
    thread.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") giveUp("it takes too much memory to read");
      else reject(error);
    });
    thread.once("exit", () => {
      clearTimeout(timer);
      giveUp("it could not be read");
    });
  }).finally(() => thread.terminate());
}

/** The limits of the parser, in words of ours. */
function plainly(reason: string): string {
  if (/nesting depth/i.test(reason)) return "its parts are nested too deeply";
  if (/header/i.test(reason)) return "its headers are too large";
  return `it could not be read: ${reason.slice(0, 200)}`;
}
