import type { FastifyReply } from "fastify";
import type { Caller } from "../engine/caller.ts";
import type { Topics } from "./topics.ts";

// One open connection of the stream of server-sent events.

/** A reader that is this far behind is cut off; the browser connects again and resumes. */
const maxUnsentBytes = 256 * 1024;

export class LiveStream {
  readonly topics: Topics;
  readonly session: number;
  by: Caller;
  /** the teams of the person, for the inbox */
  teams: ReadonlySet<number> = new Set();
  /** inbox counts are being loaded; "again": something changed meanwhile */
  counting: "no" | "yes" | "again" = "no";
  private readonly reply: FastifyReply;
  private readonly onClose: (stream: LiveStream) => void;
  private isOpen = true;

  constructor(
    reply: FastifyReply,
    { by, topics, session, onClose }: { by: Caller; topics: Topics; session: number; onClose: LiveStream["onClose"] },
  ) {
    this.reply = reply;
    this.by = by;
    this.topics = topics;
    this.session = session;
    this.onClose = onClose;
  }

  /** Sends the headers. */
  open(): void {
    const headers = { ...this.reply.getHeaders(), "content-type": "text/event-stream; charset=utf-8" };
    this.reply.hijack();
    const { raw } = this.reply;
    raw.on("close", () => this.close());
    raw.on("error", () => this.close());
    // A proxy must not collect the answer.
    raw.writeHead(200, { ...headers, "x-accel-buffering": "no" } as Record<string, string>);
    this.write("retry: 2000\n\n");
  }

  send(event: string, data: unknown, position?: string): void {
    const id = position === undefined ? "" : `id: ${position}\n`;
    this.write(`${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Keeps proxies from closing an idle connection. */
  sendComment(): void {
    this.write(":\n\n");
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    const { raw } = this.reply;
    raw.write(text);
    if (raw.writableLength > maxUnsentBytes) raw.destroy();
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.reply.raw.end();
    this.onClose(this);
  }
}
