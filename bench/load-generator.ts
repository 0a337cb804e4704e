import { Agent, request } from "node:http";
import { buildAddress, type Workload } from "./workloads.ts";

// A load generator of our own: keep-alive connections, each sending its next request when the last one is answered. The
// same code drives both servers, so what it costs falls out of the ratio.

export type LoadMeasurement = {
  perSecond: number;
  p50: number;
  p99: number;
  failures: number;
  count: number;
  bytes: number;
};

/** Deterministic numbers, so that both servers get the same requests. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

export async function generateLoad(
  base: string,
  headers: Record<string, string>,
  workload: Workload,
  requests: number,
  options: { connections: number; seconds: number; seed: number },
): Promise<LoadMeasurement> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const url = new URL(base);
  const times: number[] = [];
  let failures = 0;
  let bytes = 0;
  const random = createRandom(options.seed);
  const end = performance.now() + options.seconds * 1000;
  const one = () =>
    new Promise<void>((resolve) => {
      const call = workload.next(random, requests);
      const { method, body } = call;
      const { pathname, search } = new URL(buildAddress(base, call));
      const start = performance.now();
      const sent = request(
        {
          agent,
          host: url.hostname,
          port: url.port,
          method,
          path: pathname + search,
          headers:
            body === undefined
              ? headers
              : { ...headers, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) },
        },
        (response) => {
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
          });
          response.on("end", () => {
            times.push(performance.now() - start);
            if ((response.statusCode ?? 500) >= 300) failures++;
            resolve();
          });
        },
      );
      sent.on("error", () => {
        failures++;
        resolve();
      });
      sent.end(body);
    });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      while (performance.now() < end) await one();
    }),
  );
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: times.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    failures,
    count: times.length,
    bytes: bytes / times.length,
  };
}
