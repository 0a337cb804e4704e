import { parentPort } from "node:worker_threads";
import { parseMessage } from "./parse-message.ts";

// The worker thread that parses messages; read-message.ts starts and terminates it.

parentPort?.on("message", async ({ raw, nonce }: { raw: Uint8Array<ArrayBuffer>; nonce: string }) => {
  try {
    const message = await parseMessage(raw, nonce);
    // Each file needs a buffer of its own to be transferred without copying.
    const files = message.files.map((file) => ({ ...file, content: file.content.slice() }));
    const buffers = files.map((file) => file.content.buffer);
    parentPort?.postMessage({ message: { ...message, files } }, buffers);
  } catch (error) {
    parentPort?.postMessage({ reason: error instanceof Error ? error.message : String(error) });
  }
});
