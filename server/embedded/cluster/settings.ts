import { join } from "node:path";
import type { Address } from "./address.ts";

// For a server of a few cores that shares its memory with Node: PostgreSQL's defaults apart from these.
// biome-ignore format: a table keeps its columns
const ownSettings: Record<string, string> = {
  max_connections:       "50",
  shared_buffers:        "128MB",
  work_mem:              "8MB",
  maintenance_work_mem:  "64MB",
  max_locks_per_transaction: "256",    // restoring a backup replaces every table and index in one transaction
  random_page_cost:      "1.1",        // disks without moving parts
  jit:                   "off",        // short statements: compiling costs more than it saves
  fsync:                 "on",         // what was acknowledged survives a power cut
  synchronous_commit:    "on",
  wal_level:             "minimal",    // a private server has no replicas
  max_wal_senders:       "0",
  max_wal_size:          "512MB",      // bounds the disk and the time to recover
  min_wal_size:          "64MB",
  timezone:              "UTC",
  log_timezone:          "UTC",
  datestyle:             "ISO, YMD",
  client_encoding:       "UTF8",
  logging_collector:     "on",
  log_filename:          "postgres-%Y-%m-%dT%H%M%S.log",
  log_file_mode:         "0600",
  log_rotation_age:      "1d",
  log_rotation_size:     "10MB",       // with the newest few kept (log-files.ts) the log is bounded
  log_line_prefix:       "%m [%p] ",
};

export function serverArguments(directory: string, address: Address, overrides: Record<string, string>): string[] {
  const settings = {
    ...ownSettings,
    ...overrides,
    ...(address.kind === "socket"
      ? { listen_addresses: "", unix_socket_directories: quotePath(address.directory), unix_socket_permissions: "0700" }
      : { listen_addresses: "127.0.0.1", unix_socket_directories: "" }),
    port: String(address.port),
    log_directory: join(directory, "log"),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

// The setting is a list: a comma or a quote in the path would end it.
const quotePath = (path: string) => `"${path.replaceAll('"', '""')}"`;
