import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Relays between a server and its database and counts messages: the same for every server, independent of its own counters. A
// round trip begins with the first message sent after a response.

export type WireCount = {
  statements: number;
  roundTrips: number;
  /** the statements in their order, those of one connection after those of another */
  texts: string[];
};

export type WireRelay = {
  /** the address of the database by way of the relay */
  url: string;
  /** counts what passes while the work runs */
  count(work: () => Promise<unknown>): Promise<WireCount>;
  stop(): Promise<void>;
};

type Counted = { roundTrips: number; texts: string[] };

const startupHeader = 4;
const messageHeader = 5;

/** Counts the messages that a client sends over one connection. */
class ClientStream {
  private rest = Buffer.alloc(0);
  private hasStarted = false;
  private hasAnswer = true;
  private bound = "";
  private readonly texts = new Map<string, string>();
  counted: Counted = { roundTrips: 0, texts: [] };

  /** A response to an earlier message may still be missing: the first message of the count begins a round trip anyway. */
  startCount(): void {
    this.counted = { roundTrips: 0, texts: [] };
    this.hasAnswer = true;
  }

  onAnswer(): void {
    this.hasAnswer = true;
  }

  onSent(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    const before = this.counted.texts.length;
    while (this.readMessage());
    if (this.counted.texts.length > before && this.hasAnswer) {
      this.counted.roundTrips++;
      this.hasAnswer = false;
    }
  }

  private readMessage(): boolean {
    const { rest } = this;
    const header = this.hasStarted ? messageHeader : startupHeader;
    if (rest.length < header) return false;
    const length = rest.readInt32BE(header - startupHeader) + header - startupHeader;
    if (rest.length < length) return false;
    if (this.hasStarted) this.readBody(String.fromCharCode(rest[0] as number), rest.subarray(header, length));
    this.hasStarted = true;
    this.rest = rest.subarray(length);
    return true;
  }

  private readBody(kind: string, body: Buffer): void {
    const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
    if (kind === "P") this.texts.set(first, second);
    else if (kind === "B") this.bound = second;
    else if (kind === "E") this.counted.texts.push(this.texts.get(this.bound) ?? this.bound);
    else if (kind === "Q") this.counted.texts.push(first);
  }
}

export async function startWireRelay(databaseUrl: string): Promise<WireRelay> {
  const url = new URL(databaseUrl.replace("@/", "@relay/"));
  const host = url.searchParams.get("host") ?? (url.hostname === "relay" ? "127.0.0.1" : url.hostname);
  const port = url.searchParams.get("port") ?? (url.port || "5432");
  const path = `.s.PGSQL.${port}`;
  const directory = mkdtempSync(join(tmpdir(), "relay-"));
  const streams = new Map<Socket, ClientStream>();
  const relay = createServer((client) => {
    const stream = new ClientStream();
    const server = host.startsWith("/") ? connect(join(host, path)) : connect(Number(port), host);
    streams.set(client, stream);
    client.on("data", (chunk) => {
      stream.onSent(chunk);
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      stream.onAnswer();
      client.write(chunk);
    });
    const close = () => {
      client.destroy();
      server.destroy();
      streams.delete(client);
    };
    for (const socket of [client, server]) socket.on("close", close).on("error", close);
  });
  await new Promise<void>((resolve) => relay.listen(join(directory, path), resolve));
  url.searchParams.set("host", directory);
  url.searchParams.set("port", port);
  url.hostname = "relay";
  return {
    url: url.href.replace(/@relay(:\d+)?\//, "@/"),
    async count(work) {
      for (const stream of streams.values()) stream.startCount();
      await work();
      const all = [...streams.values()].map(({ counted }) => counted);
      const texts = all.flatMap((each) => each.texts);
      return { statements: texts.length, roundTrips: all.reduce((sum, each) => sum + each.roundTrips, 0), texts };
    },
    async stop() {
      for (const client of streams.keys()) client.destroy();
      await new Promise<void>((resolve) => relay.close(() => resolve()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
