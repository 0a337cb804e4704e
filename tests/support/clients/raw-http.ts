import net from "node:net";

// HTTP at the byte level, for requests that fetch can't send and for responses that it would hide.

export type RawReply = {
  /** 0 if the connection ended without a complete response */
  status: number;
  headers: Map<string, string>;
  text: string;
};

type Waiting = { method: string; resolve: (reply: RawReply) => void };

/** Takes one response off the front of the bytes. Returns null if it isn't complete yet. */
function takeReply(bytes: Buffer, method: string, ended: boolean): { reply: RawReply; rest: Buffer } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(first.split(" ")[1]);
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
    }),
  );
  const body = bytes.subarray(end + 4);
  const done = (text: Buffer, rest: Buffer) => ({ reply: { status, headers, text: text.toString("utf8") }, rest });
  if (status >= 100 && status < 200) return takeReply(body, method, ended);
  if (method === "HEAD" || status === 204 || status === 304) return done(Buffer.alloc(0), body);
  const length = headers.get("content-length");
  if (length !== undefined)
    return body.length < Number(length) ? null : done(body.subarray(0, Number(length)), body.subarray(Number(length)));
  if (headers.get("transfer-encoding") === "chunked") {
    const chunks: Buffer[] = [];
    for (let at = 0; ; ) {
      const line = body.indexOf("\r\n", at);
      if (line < 0) return null;
      const size = Number.parseInt(body.toString("latin1", at, line), 16);
      if (body.length < line + 2 + size + 2) return null;
      if (size === 0) return done(Buffer.concat(chunks), body.subarray(line + 4));
      chunks.push(body.subarray(line + 2, line + 2 + size));
      at = line + 2 + size + 2;
    }
  }
  return ended ? done(body, Buffer.alloc(0)) : null;
}

/** A keep-alive connection that reopens after the server closes it. */
export class RawConnection {
  private readonly host: string;
  private readonly port: number;
  private socket: net.Socket | null = null;
  private held: Buffer = Buffer.alloc(0);
  private waiting: Waiting[] = [];

  constructor(port: number, host = "127.0.0.1") {
    this.host = host;
    this.port = port;
  }

  /** Sends the bytes of one or more calls and returns their responses in order; `methods` has the method of each call. */
  async exchange(bytes: Buffer | string, methods: readonly string[]): Promise<RawReply[]> {
    const socket = this.socket ?? this.open();
    const replies = methods.map((method) => new Promise<RawReply>((resolve) => this.waiting.push({ method, resolve })));
    socket.write(bytes);
    return Promise.all(replies);
  }

  async send(bytes: Buffer | string, method = "GET"): Promise<RawReply> {
    return (await this.exchange(bytes, [method]))[0] as RawReply;
  }

  /** Pending calls get no response. */
  close(): void {
    this.socket?.destroy();
    this.socket = null;
    for (const { resolve } of this.waiting.splice(0)) resolve({ status: 0, headers: new Map(), text: "" });
  }

  private open(): net.Socket {
    const socket = net.connect({ port: this.port, host: this.host, noDelay: true });
    this.socket = socket;
    this.held = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
      this.settle(socket, false);
    });
    socket.on("error", () => {}); // a close follows
    socket.on("close", () => this.settle(socket, true));
    socket.on("end", () => this.settle(socket, true));
    return socket;
  }

  private settle(socket: net.Socket, ended: boolean): void {
    if (this.socket !== socket) return;
    let closing = ended;
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const parsed = takeReply(this.held, next.method, ended);
      if (parsed === null) break;
      this.waiting.shift();
      this.held = parsed.rest;
      if (parsed.reply.headers.get("connection") === "close") closing = true;
      next.resolve(parsed.reply);
    }
    if (!closing) return;
    this.socket = null;
    socket.destroy();
    for (const { resolve } of this.waiting.splice(0)) resolve({ status: 0, headers: new Map(), text: "" });
  }
}

/** Returns everything that the server sends until it closes the connection, or until the text satisfies `enough`. */
export function exchangeUntilClose(
  port: number,
  bytes: Buffer | string,
  enough: (text: string) => boolean = () => false,
  host = "127.0.0.1",
): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = net.connect({ port, host });
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (enough(received)) end();
    });
    socket.on("error", () => {});
    socket.on("close", end);
    socket.write(bytes);
  });
}

/** Builds the bytes of a call; adds Content-Length and Host unless they are given. */
export function buildRawRequest(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[] = [],
  body: Buffer | string = "",
): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [`${method} ${target} HTTP/1.1`];
  if (!names.has("host")) lines.push("Host: 127.0.0.1");
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (bytes.length > 0 && !names.has("content-length") && !names.has("transfer-encoding"))
    lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}
