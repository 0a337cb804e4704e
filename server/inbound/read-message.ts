import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type InboundMessage, UnreadableMessage } from "./message.ts";

// Emails come from strangers and may be built to exhaust the parser. A process of its own with limited memory and time parses
// them, so the server keeps running and does not grow. It serves further messages and ends when idle. D-263.

const timeLimit = 20_000;
const idleMilliseconds = 10_000;
const memoryLimits = ["--max-old-space-size=256", "--max-semi-space-size=8"];
/** How Node ends when its memory is exhausted. */
const outOfMemory = { code: 134, signal: "SIGABRT" };

type ParserAnswer = { message?: InboundMessage; reason?: string };

let parser: ChildProcess | null = null;
let idleTimer: NodeJS.Timeout | undefined;
let pendingRead: Promise<unknown> = Promise.resolve();

/** Parses one message at a time. */
export function readMessage(raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  const read = pendingRead.then(() => readInProcess(raw));
  pendingRead = read.catch(() => {});
  return read;
}

async function readInProcess(raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  clearTimeout(idleTimer);
  parser ??= startParser();
  const reader = parser;
  try {
    const message = await awaitAnswer(reader, raw);
    idleTimer = setTimeout(stopParser, idleMilliseconds).unref();
    release(reader);
    return message;
  } catch (error) {
    stopParser();
    throw error;
  }
}

function startParser(): ChildProcess {
  const started = fork(fileURLToPath(new URL("./parse-process.ts", import.meta.url)), [], {
    ...{ execArgv: memoryLimits, env: {}, serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"] },
  })
    // An unhandled "error" event would end this process.
    .on("error", () => {})
    .on("exit", () => {
      if (parser === started) parser = null;
    });
  return started;
}

/** An idle parser does not keep this process from ending. */
function release(reader: ChildProcess): void {
  reader.unref();
  reader.channel?.unref();
}

function stopParser(): void {
  parser?.kill("SIGKILL");
  if (parser !== null) release(parser);
  parser = null;
}

function awaitAnswer(reader: ChildProcess, raw: Uint8Array<ArrayBuffer>): Promise<InboundMessage> {
  reader.ref();
  reader.channel?.ref();
  const { promise, resolve, reject } = Promise.withResolvers<InboundMessage>();
  const giveUp = (reason: string) => reject(new UnreadableMessage(reason));
  const timer = setTimeout(() => giveUp("it takes too long to read"), timeLimit);
  const onMessage = ({ message, reason = "" }: ParserAnswer) =>
    message === undefined ? giveUp(describeReason(reason)) : resolve(message);
  const onExit = (code: number | null, signal: string | null) =>
    giveUp(
      code === outOfMemory.code || signal === outOfMemory.signal
        ? "it takes too much memory to read"
        : "it could not be read",
    );
  reader.on("message", onMessage).on("error", reject).on("exit", onExit);
  reader.send({ raw, nonce: randomBytes(8).toString("hex") }, (error) => {
    if (error !== null) reject(error);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    reader.off("message", onMessage).off("error", reject).off("exit", onExit);
  });
}

/** Rewords the errors of the parser about its limits. */
function describeReason(reason: string): string {
  if (/nesting depth/i.test(reason)) return "its parts are nested too deeply";
  if (/header/i.test(reason)) return "its headers are too large";
  return `it could not be read: ${reason.slice(0, 200)}`;
}
