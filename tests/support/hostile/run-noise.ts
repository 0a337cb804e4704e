import { connect } from "node:net";
import { exchangeUntilClose, RawConnection } from "../clients/raw-http.ts";
import type { EntranceNoise, NoisyRequest } from "./entrances.ts";
import { buildNoisyMail } from "./mail-noise.ts";

// Sends noise over keep-alive connections, several pipelined calls on each, and collects failures.

export type NoiseResult = {
  sent: number;
  byEntrance: Map<string, Map<number, number>>;
  /** failures, with the first call that caused each */
  complaints: Map<string, { times: number; first: string }>;
};

const pipelined = 6;
const longestAnswer = 20_000;

export class NoiseRun {
  readonly result: NoiseResult = { sent: 0, byEntrance: new Map(), complaints: new Map() };
  /** the pending calls, to find out which of them blocked the event loop */
  readonly recent: { at: number; request: NoisyRequest }[] = [];
  private readonly source: EntranceNoise;
  private readonly port: number;
  isStopped = false;
  private left: number;

  constructor(source: EntranceNoise, port: number, count: number) {
    this.source = source;
    this.port = port;
    this.left = count;
  }

  /** Pending calls still get their response. */
  stop(): void {
    this.left = 0;
    this.isStopped = true;
  }

  async run(connections: number): Promise<NoiseResult> {
    await Promise.all(Array.from({ length: connections }, () => this.sendMany()));
    return this.result;
  }

  private take(count: number): NoisyRequest[] {
    const taken = Math.min(count, this.left);
    this.left -= taken;
    return Array.from({ length: taken }, () => this.source.next());
  }

  private async sendMany(): Promise<void> {
    const wire = new RawConnection(this.port);
    for (let batch = this.take(pipelined); batch.length > 0; batch = this.take(pipelined)) {
      for (const request of batch) this.remember(request);
      const plain = batch.filter(({ isStream, isMalformed }) => !isStream && !isMalformed);
      for (const request of batch.filter((each) => !plain.includes(each))) await this.sendAlone(request);
      let rest = plain;
      // A response may close the connection; the calls sent behind it are sent again.
      while (rest.length > 0) {
        const bytes = Buffer.concat(rest.map((request) => request.bytes));
        // A call without a response must not block the run, so its connection is closed.
        const timer = setTimeout(() => wire.close(), longestAnswer);
        const methods = rest.map(({ method }) => method);
        const replies = await wire.exchange(bytes, methods).finally(() => clearTimeout(timer));
        const answered = replies.findIndex(({ status }) => status === 0);
        const count = answered < 0 ? rest.length : answered;
        for (let n = 0; n < count; n++) this.judge(rest[n] as NoisyRequest, replies[n]?.status ?? 0, replies[n]);
        if (count === 0) {
          this.judge(rest[0] as NoisyRequest, 0);
          rest = rest.slice(1);
        } else rest = rest.slice(count);
      }
    }
    wire.close();
  }

  private remember(request: NoisyRequest): void {
    this.recent.push({ at: Date.now(), request });
    if (this.recent.length > 4000) this.recent.splice(0, 2000);
  }

  private async sendAlone(request: NoisyRequest): Promise<void> {
    const said = await Promise.race([
      exchangeUntilClose(this.port, request.bytes, (text) => text.includes("\r\n\r\n")),
      new Promise<string>((resolve) => setTimeout(() => resolve(""), 2000).unref()),
    ]);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0);
    this.judge(request, request.isMalformed && status === 0 ? 400 : status);
  }

  private judge(request: NoisyRequest, status: number, reply?: { headers: Map<string, string>; text: string }): void {
    const { result } = this;
    result.sent++;
    const statuses = result.byEntrance.get(request.entrance) ?? new Map<number, number>();
    result.byEntrance.set(request.entrance, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    if (status === 0) this.complain(`${request.entrance}: no answer`, request);
    else if (status >= 500 && !(status === 503 && reply?.headers.has("retry-after")))
      this.complain(`${request.entrance}: ${status} ${reply?.text.slice(0, 80) ?? ""}`, request);
  }

  private complain(what: string, request: NoisyRequest): void {
    const known = this.result.complaints.get(what);
    if (known !== undefined) known.times++;
    else this.result.complaints.set(what, { times: 1, first: request.bytes.toString("utf8").slice(0, 3000) });
  }
}

/** Sends random emails; counts the response codes and returns 5xx replies that aren't refusals. */
export async function sendNoisyMails(
  source: EntranceNoise,
  port: number,
  count: number,
  connections: number,
  isOver: () => boolean = () => false,
): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  let left = count;
  const client = async () => {
    while (left-- > 0 && !isOver()) {
      const said = await talk(port, buildNoisyMail(source.noise).lines);
      for (const code of said) codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return codes;
}

/** One SMTP conversation: sends each line after the response to the previous one. */
function talk(port: number, lines: readonly (string | Buffer)[]): Promise<string[]> {
  return new Promise((resolve) => {
    const codes: string[] = [];
    const waiting = [...lines, "QUIT"];
    let received = "";
    const socket = connect(port, "127.0.0.1");
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(codes);
    };
    const timer = setTimeout(end, 10_000);
    socket.on("error", () => {}).on("close", end);
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      received += chunk;
      for (
        let match = /^(\d{3}) [^\n]*\n/m.exec(received);
        match !== null;
        match = /^(\d{3}) [^\n]*\n/m.exec(received)
      ) {
        received = received.slice(match.index + match[0].length);
        const code = match[1] as string;
        codes.push(code);
        const next = waiting.shift();
        if (next === undefined) return end();
        // After a rejected DATA, the server would read the message's text as commands.
        if (typeof next !== "string" && code !== "354") {
          waiting.length = 0;
          waiting.push("QUIT");
          socket.write("NOOP\r\n");
        } else if (typeof next === "string") socket.write(`${next}\r\n`);
        else {
          socket.write(next);
          socket.write(`\r\n${waiting.shift()}\r\n`);
        }
      }
    });
  });
}
