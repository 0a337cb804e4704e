import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { OperatorError } from "../base/errors.ts";
import { defineCommand, type Terminal, UsageError } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { checkMessage, type MessageCheck } from "./listen/check-message.ts";

export const listen = defineCommand({
  name: "listen",
  summary: "Receive webhook messages on this machine and print them.",
  details:
    "Confirms the webhook by calling its verification callback. Verifies signed messages with the key shown when the\n" +
    "policy was created (--key), or with the key discovered from the message.",
  options: {
    port: { value: "PORT", help: "port to listen on (default: 9000)" },
    key: { value: "FILE", help: "public key (PEM), or the shared secret of an HS policy" },
    status: { value: "STATUS", help: "HTTP status to respond with (default: 200); use 503 to see retries" },
  },
  example: `${program} listen --port 9000`,
  async run({ port = "9000", key, status = "200" }, terminal) {
    const wantedPort = parseNumber("--port", port, 0, 65_535);
    const responseStatus = parseNumber("--status", status, 100, 599);
    const keyText = key === undefined ? null : readKey(key);
    const server = createServer((request, response) => {
      receive(request, terminal, keyText).catch((error) => terminal.say(`  ${(error as Error).message}`));
      respond(request, response, responseStatus);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) =>
        reject(new OperatorError(`Can't listen on port ${wantedPort}: ${error.message}.`)),
      );
      server.listen(wantedPort, "127.0.0.1", resolve);
    });
    const address = server.address() as { port: number };
    terminal.print(`Listening on http://127.0.0.1:${address.port}/ (press Ctrl-C to stop)`);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
    server.closeAllConnections();
    server.close();
    return 0;
  },
});

function parseNumber(option: string, text: string, min: number, max: number): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new UsageError(`${option} must be a number from ${min} to ${max}, not "${text}".`, "listen");
  return Number(text);
}

function readKey(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new OperatorError(`Can't read ${file}: ${(error as Error).message}.`);
  }
}

/** Responds before the message is checked, as receivers should. */
function respond(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.on("end", () => response.writeHead(status).end());
}

async function receive(request: IncomingMessage, terminal: Terminal, key: string | null): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const check = await checkMessage(text, key);
  if (check === null) return terminal.print(`${request.method} ${request.url}: not a webhook message`);
  printMessage(terminal, request, check);
  const { event, payload } = check.message;
  if (event !== "webhook.verify" || typeof payload.callback !== "string") return;
  const answer = await fetch(payload.callback).catch(() => null);
  terminal.print(
    answer?.status === 200 ? "  verified; events will now be delivered" : "  the verification callback was refused",
  );
}

function printMessage(terminal: Terminal, request: IncomingMessage, { message, signature }: MessageCheck): void {
  const { event, object_id, person_name, payload } = message;
  const who = person_name ?? "the service";
  terminal.print(`${new Date().toISOString()} ${event} ${object_id} by ${who} (${signature})`);
  terminal.print(`  delivery ${request.headers["x-xurrent-delivery"]}`);
  if (request.headers.link !== undefined) terminal.print(`  ${request.headers.link}`);
  terminal.print(`  ${JSON.stringify(payload)}`);
}
