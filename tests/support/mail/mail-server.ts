import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { atFileEnd } from "../cleanup.ts";

// An SMTP server that stores the email it receives, and can delay or refuse it.

export type DeliveredMail = {
  to: string;
  headers: Map<string, string>;
  subject: string;
  text: string;
  html: string;
  raw: string;
};

export type MailServer = {
  url: string;
  received: DeliveredMail[];
  /** the refusal of a recipient; null accepts it */
  refusal: (address: string) => { code: number; text: string } | null;
  /** resolves when email may be accepted */
  acceptAfter: Promise<void>;
  connections: number;
};

export async function startMailServer(): Promise<MailServer> {
  const at: MailServer = { url: "", received: [], refusal: () => null, acceptAfter: Promise.resolve(), connections: 0 };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onConnect: (_, done) => {
      at.connections++;
      done();
    },
    onRcptTo({ address }, _, done) {
      const no = at.refusal(address);
      done(no === null ? null : Object.assign(new Error(no.text), { responseCode: no.code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        void at.acceptAfter.then(() => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join();
          at.received.push(read(to, Buffer.concat(chunks).toString("latin1")));
          done();
        });
      });
    },
  });
  server.on("error", () => {}); // the client disconnected
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  at.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  atFileEnd(() => new Promise<void>((resolve) => void server.close(resolve)));
  return at;
}

const utf8 = (latin: string): string => Buffer.from(latin, "latin1").toString("utf8");

function decodeBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return utf8(body);
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return utf8(bytes);
}

const decodeHeader = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toUpperCase() === "B" ? Buffer.from(text, "base64").toString("latin1") : decodeQuotedPrintable(text),
    );
const decodeQuotedPrintable = (text: string): string =>
  text.replaceAll("_", " ").replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

function splitMessage(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { headers, body: raw.slice(end + 4) };
}

function read(to: string, raw: string): DeliveredMail {
  const { headers, body } = splitMessage(raw);
  const found = { "text/plain": "", "text/html": "" };
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get("content-type") ?? "")?.[1];
  const pieces =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((piece) => splitMessage(piece.slice(2)));
  for (const piece of pieces) {
    const type = (piece.headers.get("content-type") ?? "").split(";")[0] as keyof typeof found;
    found[type] = decodeBody(
      piece.body,
      (piece.headers.get("content-transfer-encoding") ?? "").toLowerCase(),
    ).replaceAll("\r\n", "\n");
  }
  const subject = utf8(decodeHeader(headers.get("subject") ?? ""));
  return { to, headers, subject, text: found["text/plain"], html: found["text/html"], raw };
}
