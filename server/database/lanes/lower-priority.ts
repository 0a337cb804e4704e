import { readFileSync } from "node:fs";
import { setPriority } from "node:os";

const lowPriority = 10;

/**
 * Lets the processes of cheap reads have the processor first. Possible only where PostgreSQL runs on this machine and this
 * user may do it (the embedded server); elsewhere nothing happens. D-182.
 */
export function lowerPriority(host: string, backend: number): void {
  if (!host.startsWith("/")) return; // not a socket of this machine
  try {
    // A socket may lead out of a container, where the number belongs to another process.
    if (readFileSync(`/proc/${backend}/comm`, "utf8").trim() === "postgres") setPriority(backend, lowPriority);
  } catch {
    // not Linux, or not our process
  }
}
