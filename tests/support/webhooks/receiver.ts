import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { atFileEnd } from "../cleanup.ts";
import { longestWait } from "../waiting.ts";

// A real webhook receiver: it stores messages and responds as the test defines.

export type Message = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** the header names with their original case */
  headerNames: readonly string[];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a message is whatever was sent; tests look at single members
  body: any;
  at: number;
};

export type Answer = (message: Message, response: ServerResponse) => void | Promise<void>;

export class Receiver {
  readonly messages: Message[] = [];
  /** number of opened connections */
  connections = 0;
  answer: Answer = (_message, response) => void response.end();
  private readonly server: Server;
  private readonly waiting: (() => void)[] = [];

  private readonly scheme: "http" | "https";

  constructor(certificate?: string) {
    this.scheme = certificate === undefined ? "http" : "https";
    const receive: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const message: Message = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
          text,
          body: parseBody(text),
          at: performance.now(),
        };
        this.messages.push(message);
        for (const wake of this.waiting.splice(0)) wake();
        void this.answer(message, response);
      });
    };
    this.server =
      certificate === undefined ? createServer(receive) : createSecureServer(readKeyPair(certificate), receive);
    this.server.on("connection", () => this.connections++);
    this.server.keepAliveTimeout = 60_000;
  }

  async listen(host = "127.0.0.1"): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    return this;
  }
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}`;
  }
  messagesFor(event: string): Message[] {
    return this.messages.filter(({ body }) => body?.event === event);
  }
  clear(): void {
    this.messages.length = 0;
  }

  /** Waits for the first message that meets the condition. */
  async next(wanted: (message: Message) => boolean): Promise<Message> {
    for (const end = Date.now() + longestWait; ; ) {
      const found = this.messages.find(wanted);
      if (found !== undefined) return found;
      assert.ok(Date.now() < end, `no such message; there are ${this.messages.map(({ text }) => text.slice(0, 200))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const certificateFile = (name: string): string => join(import.meta.dirname, "certificates", name);
const readKeyPair = (name: string) => ({
  cert: readFileSync(certificateFile(`${name}.pem`)),
  key: readFileSync(certificateFile(`${name}.key`)),
});

/** Starts a receiver that ends with the test file. With a certificate name it uses HTTPS. */
export async function startReceiver(host?: string, certificate?: string): Promise<Receiver> {
  const one = await new Receiver(certificate).listen(host);
  atFileEnd(() => one.close());
  return one;
}

/** Responds with a status and headers. */
export const answerWithStatus =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_message, response) =>
    void response.writeHead(code, headers).end();
