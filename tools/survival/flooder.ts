import { readFileSync } from "node:fs";
import { connect } from "node:net";

// A separate process that sends the same bytes over many connections, each time a response arrives, and reads only
// the status: it must cost less than the server. It binds to another address of this machine than other clients.
//
// node flooder.ts PORT CONNECTIONS SECONDS ADDRESS REQUESTS (base64, separated by commas, or @FILE); prints counts as JSON.

const [port, connections, seconds, localAddress, encoded] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const text = encoded.startsWith("@") ? readFileSync(encoded.slice(1), "utf8") : encoded;
const requests = text.split(",").map((each) => Buffer.from(each, "base64"));
const statuses: Record<string, number> = {};
let isOver = false;
let next = 0;
let reconnects = 0;

function open(): void {
  if (isOver) return;
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress, noDelay: true });
  const send = () => socket.write(requests[next++ % requests.length] as Buffer);
  let isHead = true;
  let missing = 0;
  socket.on("connect", send);
  socket.on("data", (chunk) => {
    if (isHead) {
      const status = chunk.toString("latin1", 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const end = chunk.indexOf("\r\n\r\n");
      const head = chunk.toString("latin1", 0, end < 0 ? chunk.length : end);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      // An answer without a length is a stream, or ends with the connection.
      missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length) + (end + 4) - chunk.length;
      if (status === "204" || status === "304") missing = 0;
    } else missing -= chunk.length;
    isHead = missing <= 0;
    if (isHead && !isOver) send();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    reconnects++;
    // Not immediately: a server that closes connections is not called faster than one that responds.
    if (!isOver) setTimeout(open, 5);
  });
}

for (let n = 0; n < Number(connections); n++) open();
setTimeout(() => {
  isOver = true;
  process.stdout.write(JSON.stringify({ statuses, reconnects }), () => process.exit(0));
}, Number(seconds) * 1000);
