import { connect } from "node:net";
import type { Report } from "./report.ts";
import { prepareStage, readMemory, type Server, type Stage } from "./stage.ts";

// Concurrent large emails: the server's memory stays below its limit, and every accepted email becomes a
// request with its file.

const limit = 400;
const megabytes = 22;
const line = `${Buffer.alloc(57, "steward").toString("base64")}\r\n`;

/** Sends one mail with a file of base64; answers the last code. */
async function sendLargeMail(port: number, number: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1").on("error", () => {});
  let heard = "";
  socket.on("data", (text) => {
    heard += text;
  });
  const waiting: (() => void)[] = [];
  const goOn = () => {
    for (const next of waiting.splice(0)) next();
  };
  socket.on("drain", goOn).on("close", goOn);
  const hear = async (): Promise<string> => {
    for (;;) {
      const match = /^(\d{3}) [^\n]*\n/m.exec(heard);
      if (match !== null) {
        heard = "";
        return match[1] as string;
      }
      if (socket.destroyed) return "";
      await new Promise((next) => setTimeout(next, 20));
    }
  };
  await hear();
  const envelope = [
    "EHLO client.example",
    "MAIL FROM:<rita@widget.example>",
    "RCPT TO:<widget-it@mail.widget.example>",
    "DATA",
  ];
  for (const command of envelope) {
    socket.write(`${command}\r\n`);
    const code = await hear();
    if (!/^[23]/.test(code)) return code;
  }
  socket.write(
    `From: rita@widget.example\r\nSubject: Large ${number}\r\nMessage-ID: <large-${number}@widget.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${number}.bin"\r\n\r\n`,
  );
  const block = line.repeat(1000);
  for (let sent = 0; sent < megabytes * 1_000_000 && !socket.destroyed; sent += block.length)
    if (!socket.write(block)) await new Promise<void>((next) => waiting.push(next));
  socket.write("\r\n--b--\r\n.\r\n");
  const code = await hear();
  socket.end("QUIT\r\n");
  return code;
}

async function waitUntilHandled({ sql }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await sql.query("SELECT 1 FROM received_mails WHERE state = 'waiting' LIMIT 1");
    if (rows.length === 0) return;
    await new Promise((next) => setTimeout(next, 200));
  }
}

/** The highest of what is read every 20 ms until the work is done. */
async function measurePeak({ pid }: Server, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory(pid).now);
  }, 20);
  await work.finally(() => clearInterval(timer));
  return peak;
}

/** `count`: the number of concurrent emails. */
export async function runMail(count: number, _seed: number, report: Report): Promise<void> {
  const stage = await prepareStage();
  try {
    const server = await stage.start();
    const before = readMemory(server.pid).now;
    for (let round = 1; round <= 3; round++) {
      const codes: string[] = [];
      const receiving = Promise.all(
        Array.from({ length: count }, (_, n) => sendLargeMail(server.mailPort, round * 100 + n)),
      );
      const received = await measurePeak(server, receiving);
      codes.push(...(await receiving));
      const handled = await measurePeak(server, waitUntilHandled(stage));
      const peak = Math.max(received, handled);
      report.say(
        `round ${round}: ${count} mails of ${megabytes} MB: ${codes.join(" ")}; memory ${before} MB before, at its highest ${received} MB while they are received and ${handled} MB afterwards`,
      );
      report.require(peak < limit, `${peak} MB`);
      report.require(
        codes.every((code) => code === "250" || code === "451"),
        codes.join(" "),
      );
    }
    const { rows } = await stage.sql.query("SELECT outcome, count(*)::integer AS n FROM received_mails GROUP BY 1");
    report.say(JSON.stringify(rows));
    for (const each of new Set(server.errors)) report.fail(`logged: ${each.slice(0, 500)}`);
  } finally {
    await stage.end();
  }
}
