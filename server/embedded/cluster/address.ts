import { chmod, lchown, mkdtemp, rm, rmdir } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { databaseName, databaseUser } from "./cluster.ts";
import type { Identity } from "./run-command.ts";

/** The address of the server: a Unix socket in a folder of its own, or a port of the loopback interface. */
export type Address = { kind: "socket"; directory: string; port: number } | { kind: "port"; port: number };

const standardPort = 5432; // only a part of the socket's name
const longestSocketPath = process.platform === "darwin" ? 103 : 107; // bytes the kernel has room for
const socketName = `.s.PGSQL.${standardPort}`;
const temporaryPrefix = "steward-";

export async function chooseAddress(directory: string, identity: Identity): Promise<Address> {
  if (process.platform === "win32") return { kind: "port", port: await freePort() }; // Node has no Unix sockets there
  const beside = join(directory, "socket");
  if (fitsSocketPath(beside)) return { kind: "socket", directory: beside, port: standardPort };
  const parent = fitsSocketPath(join(tmpdir(), `${temporaryPrefix}XXXXXX`)) ? tmpdir() : "/tmp";
  const temporary = await mkdtemp(join(parent, temporaryPrefix));
  await chmod(temporary, 0o700);
  if (identity.owner) await lchown(temporary, identity.owner.uid, identity.owner.gid);
  return { kind: "socket", directory: temporary, port: standardPort };
}

const fitsSocketPath = (directory: string) => Buffer.byteLength(join(directory, socketName)) <= longestSocketPath;

/** Removes the socket and its lock, which a killed server leaves behind, and the folder if it is a temporary one. */
export async function removeSocket(directory: string): Promise<void> {
  await rm(join(directory, socketName), { force: true });
  await rm(join(directory, `${socketName}.lock`), { force: true });
  if (isTemporary(directory)) await rmdir(directory).catch(() => {});
}

export const isTemporary = (directory: string) => basename(directory).startsWith(temporaryPrefix);

/** Sets every option: PGPORT, PGSSLMODE and the like in our environment must not reach a private server. */
export function buildUrl(address: Address, password: string, database = databaseName): string {
  const host = address.kind === "socket" ? address.directory : "127.0.0.1";
  const place = `host=${encodeURIComponent(host)}&port=${address.port}&sslmode=disable`;
  return `postgres://${databaseUser}:${encodeURIComponent(password)}@/${database}?${place}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
