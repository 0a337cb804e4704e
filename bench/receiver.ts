import { createServer } from "node:http";

// Receives webhooks in a separate process: responds 200 immediately, and returns the arrival times on request. As "slow" it takes
// two seconds for a response, as "hanging" it responds only to its verification.

const behaviour = process.argv[2] ?? "fast";

type ReceivedMessage = { id: number; at: number };
let received: ReceivedMessage[] = [];

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify(received));
    received = [];
    return;
  }
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const message = JSON.parse(text) as { event: string; object_id: number; payload: { callback?: string } };
    const verifies = message.event === "webhook.verify";
    if (behaviour === "fast" || verifies) response.end();
    else if (behaviour === "slow") setTimeout(() => response.end(), 2000);
    if (verifies) void fetch(message.payload.callback as string);
    else received.push({ id: message.object_id, at: performance.timeOrigin + performance.now() });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as { port: number }).port));
