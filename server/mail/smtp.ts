import { randomBytes } from "node:crypto";
import { createConnection, type Socket } from "node:net";
import { hostname } from "node:os";
import { createInterface, type Interface } from "node:readline";
import { connect as connectTls } from "node:tls";
import { Mistake } from "../base/errors.ts";

// A small SMTP client: one message, plain text, TLS from the start (smtps:) or by STARTTLS wherever it is offered.

export type MailSettings = {
  secure: boolean;
  host: string;
  port: number;
  user: string | null;
  password: string | null;
  from: string;
};
export type Message = { id: string; recipient: string; subject: string; body: string; date: Date };

/** SMTP_URL, for example smtp://user:secret@mail.example.com:587; MAIL_FROM is the sender. */
export function mailSettings(env: Record<string, string | undefined> = process.env): MailSettings | null {
  if (!env.SMTP_URL) return null;
  let url: URL;
  try {
    url = new URL(env.SMTP_URL);
  } catch {
    throw new Mistake("SMTP_URL must look like smtp://user:password@mail.example.com:587.");
  }
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === "")
    throw new Mistake("SMTP_URL must begin with smtp:// or smtps:// and name a host.");
  const secure = url.protocol === "smtps:";
  const from = env.MAIL_FROM || `steward@${url.hostname}`;
  if (!isAddress(from)) throw new Mistake("MAIL_FROM must be an e-mail address.");
  return {
    secure,
    host: url.hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    user: decodeURIComponent(url.username) || null,
    password: decodeURIComponent(url.password) || null,
    from,
  };
}

const isAddress = (text: string): boolean => /^[^\s<>"@]+@[^\s<>"@]+$/.test(text);

class Dialogue {
  private socket: Socket;
  private lines: Interface;
  private readonly received: string[] = [];
  private waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | null = null;
  private failure: Error | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    this.lines = this.attach(socket);
  }

  private attach(socket: Socket): Interface {
    socket.setTimeout(30_000, () => socket.destroy(new Error("the mail server took too long")));
    socket.on("error", (error) => this.fail(error));
    socket.on("close", () => this.fail(new Error("the mail server closed the connection")));
    const lines = createInterface({ input: socket });
    lines.on("error", () => {}); // the socket tells
    lines.on("line", (line) => {
      if (this.waiting === null) this.received.push(line);
      else this.waiting.resolve(line);
      this.waiting = null;
    });
    return lines;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.waiting?.reject(error);
    this.waiting = null;
  }

  private line(): Promise<string> {
    const received = this.received.shift();
    if (received !== undefined) return Promise.resolve(received);
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  /** Reads one answer of one or more lines; anything but the wanted hundred is a failure. */
  async expect(hundred: 2 | 3): Promise<string[]> {
    const answer: string[] = [];
    for (;;) {
      const line = await this.line();
      answer.push(line);
      if (!/^\d{3}-/.test(line)) break;
    }
    if (!answer.at(-1)?.startsWith(String(hundred)))
      throw new Error(`the mail server answered ${answer.at(-1)?.slice(0, 200)}`);
    return answer;
  }

  say(line: string, hundred: 2 | 3 = 2): Promise<string[]> {
    this.socket.write(`${line}\r\n`);
    return this.expect(hundred);
  }

  encrypt(host: string): Promise<void> {
    this.lines.close();
    this.socket.removeAllListeners();
    const plain = this.socket;
    return new Promise((resolve, reject) => {
      const secured = connectTls({ socket: plain, servername: host }, () => {
        secured.off("error", reject);
        this.socket = secured;
        this.lines = this.attach(secured);
        resolve();
      });
      secured.once("error", reject);
    });
  }

  end(): void {
    this.socket.end();
  }
}

export async function sendMail(settings: MailSettings, message: Message): Promise<void> {
  const { secure, host, port, user, password, from } = settings;
  if (!isAddress(message.recipient)) throw new Error("the recipient is no e-mail address");
  const dialogue = new Dialogue(
    secure ? connectTls({ host, port, servername: host }) : createConnection({ host, port }),
  );
  try {
    await dialogue.expect(2);
    let offers = await dialogue.say(`EHLO ${hostname()}`);
    if (!secure && offers.some((offer) => /^250.STARTTLS/i.test(offer))) {
      await dialogue.say("STARTTLS");
      await dialogue.encrypt(host);
      offers = await dialogue.say(`EHLO ${hostname()}`);
    }
    if (user !== null)
      await dialogue.say(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password ?? ""}`).toString("base64")}`);
    await dialogue.say(`MAIL FROM:<${from}>`);
    await dialogue.say(`RCPT TO:<${message.recipient}>`);
    await dialogue.say("DATA", 3);
    await dialogue.say(`${written(message, from)}\r\n.`);
    await dialogue.say("QUIT").catch(() => []); // the message is theirs already
  } finally {
    dialogue.end();
  }
}

/** Base64 in short lines: no line is too long, none begins with a dot, and every character arrives. */
function written(message: Message, from: string): string {
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  return [
    `From: Steward <${from}>`,
    `To: <${message.recipient}>`,
    `Subject: =?utf-8?B?${encoded(message.subject)}?=`,
    `Date: ${message.date.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${message.id}.${messageDomain(from)}>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "Auto-Submitted: auto-generated",
    "",
    ...(encoded(message.body.replaceAll("\n", "\r\n")).match(/.{1,76}/g) ?? []),
  ].join("\r\n");
}

const messageDomain = (from: string): string => `steward@${from.split("@")[1] ?? randomBytes(4).toString("hex")}`;
