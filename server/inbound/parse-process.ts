import { parseMessage } from "./parse-message.ts";

// The process that parses messages; read-message.ts starts and ends it. It ends by itself with the process that started it.

type Order = { raw: Uint8Array<ArrayBuffer>; nonce: string };

process.on("message", async ({ raw, nonce }: Order) => {
  try {
    process.send?.({ message: await parseMessage(raw, nonce) });
  } catch (error) {
    process.send?.({ reason: error instanceof Error ? error.message : String(error) });
  }
});
