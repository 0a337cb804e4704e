import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { atFileEnd } from "../cleanup.ts";

// An S3 server behind a relay that can refuse and cut connections.

/** the only valid credentials */
export const storageCredentials = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
const bucket = "steward-files";

export type ObjectStorage = {
  endpoint: string;
  /** environment variables for a service that stores its files here */
  env: Record<string, string>;
  url(parameters?: string): string;
  /** refuses new connections and cuts open ones */
  stop(): void;
  start(): void;
  /** cuts the next connection after this many bytes were received or sent */
  cutAfter(bytes: number, way: "received" | "sent"): void;
  /** number of cut connections */
  readonly cuts: number;
  keys(): Promise<string[]>;
  /** overwrites the first byte of a stored object */
  damage(key: string): Promise<void>;
  metadata(key: string): Promise<Record<string, string>>;
};

export async function startObjectStorage(): Promise<ObjectStorage> {
  const directory = mkdtempSync(join(tmpdir(), "steward-s3-"));
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory, vhostBuckets: false },
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  const relay = createRelay(port);
  await new Promise<void>((resolve) => relay.server.listen(0, "127.0.0.1", resolve));
  atFileEnd(async () => {
    relay.state.isDown = true;
    relay.destroyAll();
    relay.server.close();
    server.httpServer.closeAllConnections();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${(relay.server.address() as AddressInfo).port}`;
  const url = (parameters = "") => `s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}${parameters}`;
  const suffix = "._S3rver_object";
  const path = (key: string) => join(directory, bucket, `${key}${suffix}`);
  return {
    endpoint,
    url,
    env: { FILES_URL: url(), ...storageCredentials },
    stop() {
      relay.state.isDown = true;
      relay.destroyAll();
    },
    start() {
      relay.state.isDown = false;
    },
    cutAfter(bytes, way) {
      relay.state.cut = { bytes, way };
    },
    get cuts() {
      return relay.state.cuts;
    },
    async keys() {
      const names = await readdir(join(directory, bucket), { recursive: true });
      return names
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .sort();
    },
    async damage(key) {
      const bytes = await readFile(path(key));
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await writeFile(path(key), bytes);
    },
    metadata: async (key) => JSON.parse(await readFile(path(key).replace(/_object$/, "_metadata.json"), "utf8")),
  };
}

type RelayState = { isDown: boolean; cut: { bytes: number; way: "received" | "sent" } | null; cuts: number };

function createRelay(port: number) {
  const state: RelayState = { isDown: false, cut: null, cuts: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (state.isDown) return void client.destroy();
    const upstream = connect(port, "127.0.0.1");
    const pair = [client, upstream];
    for (const socket of pair) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        for (const each of pair) each.destroy();
      });
    }
    const forward = (from: Socket, to: Socket, way: "received" | "sent") => {
      let passed = 0;
      from.on("data", (chunk: Buffer) => {
        passed += chunk.length;
        const { cut } = state;
        if (cut?.way === way && passed >= cut.bytes) {
          state.cut = null;
          state.cuts++;
          for (const each of pair) each.destroy();
        } else if (!to.write(chunk)) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      });
    };
    forward(client, upstream, "sent");
    forward(upstream, client, "received");
  });
  return {
    state,
    server,
    destroyAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
