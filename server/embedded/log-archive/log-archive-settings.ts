import { join } from "node:path";
import { clusterPath } from "../cluster/cluster.ts";

// The log of changes of the embedded PostgreSQL, archived so that a base backup can be brought to any later moment (D-675).
// PostgreSQL copies complete pieces of the log into a folder of its own; the server sends them to the archive (ship-log.ts),
// because only the server may know the credentials of a bucket.

/** Below the files of PostgreSQL: its user can write there. */
export const spoolName = "log_archive";
/** The folder from which PostgreSQL reads segments during a restore. */
export const restoredLogName = "restored_log";
export const spoolPath = (directory: string): string => join(clusterPath(directory), spoolName);

/** A piece that is not full is archived after so long: what a lost machine loses at most. */
const archiveSeconds = 60;

/** Under its name a piece is complete and on the disk. Paths are relative to the folder that PostgreSQL works in. */
const copyPiece = `mkdir -p ${spoolName} && cp %p ${spoolName}/.%f && sync ${spoolName}/.%f && mv ${spoolName}/.%f ${spoolName}/%f`;

export const archiveSettings: Readonly<Record<string, string>> = {
  wal_level: "replica",
  archive_mode: "on",
  archive_timeout: String(archiveSeconds),
  archive_command: copyPiece,
};

/** Settings of the start that brings a base backup to a moment; the server takes no connections before it is there. */
export const buildRecoverySettings = (until: Date): Record<string, string> => ({
  wal_level: "replica",
  hot_standby: "off",
  restore_command: `cp ${restoredLogName}/%f %p`,
  // A number: names of zones, such as Z, are not known yet when the settings of a start are read.
  recovery_target_time: until.toISOString().replace("T", " ").replace("Z", "+00"),
  recovery_target_action: "promote",
});

/** Names of complete pieces, of the histories of timelines, and of the marks of base backups. */
export const isArchivedName = (name: string): boolean =>
  /^[\dA-F]{24}(?:\.partial|\.[\dA-F]{8}\.backup)?$|^[\dA-F]{8}\.history$/.test(name);

export const logFolder = "log/";
export const buildLogKey = (name: string): string => `${logFolder}${name}.gz`;
export function parseLogKey(key: string): string | null {
  const name = key.startsWith(logFolder) && key.endsWith(".gz") ? key.slice(logFolder.length, -3) : "";
  return isArchivedName(name) ? name : null;
}
