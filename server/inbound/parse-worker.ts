import { parentPort } from "node:worker_threads";
import { parseMessage } from "./parse-message.ts";

// The thread that reads messages: read-message.ts starts it and may end it.

parentPort?.on("message", async ({ raw, nonce }: { raw: Uint8Array<ArrayBuffer>; nonce: string }) => {
  try {
    const message = await parseMessage(raw, nonce);
    // Each file has its bytes to itself, so that they can be handed over without copying.
    const files = message.files.map((file) => ({ ...file, content: file.content.slice() }));
    const buffers = files.map((file) => file.content.buffer);
    parentPort?.postMessage({ message: { ...message, files } }, buffers);
  } catch (error) {
    parentPort?.postMessage({ reason: error instanceof Error ? error.message : String(error) });
  }
});
