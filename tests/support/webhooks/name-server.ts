import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";
import { atFileEnd } from "../cleanup.ts";

/** A DNS server whose responses a test sets and may change between queries. */
export async function startNameServer(answer: (name: string, family: 4 | 6) => readonly string[]): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.subarray(at + 1, at + 1 + length).toString());
      at += length + 1;
    }
    const type = question.readUInt16BE(at + 1);
    const questionSection = question.subarray(12, at + 5);
    const addresses = type === 1 || type === 28 ? answer(labels.join("."), type === 1 ? 4 : 6) : [];
    const records = addresses.map((address) => {
      const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
      return Buffer.concat([head, bytes]);
    });
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, questionSection, ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  atFileEnd(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
