import { constants } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const keptFiles = 7;
const hour = 3_600_000;

/** Keeps the newest log files: PostgreSQL starts a new one every 10 MB, but removes none. */
async function removeOldLogs(directory: string): Promise<void> {
  for (const name of (await logFiles(directory)).slice(0, -keptFiles)) await rm(join(directory, name), { force: true });
}

/** Removes old logs now and every hour, until the returned function is called. */
export function keepLogsBounded(directory: string): () => void {
  const act = () => void removeOldLogs(directory).catch(() => {}); // tried again in an hour
  act();
  const timer = setInterval(act, hour).unref();
  return () => clearInterval(timer);
}

/** The last output of the server, which explains most failed starts. */
export async function readLastLines(directory: string): Promise<string> {
  const early = await tail(join(directory, "start.log"));
  const newest = (await logFiles(join(directory, "log"))).at(-1);
  return `${early}\n${newest ? await tail(join(directory, "log", newest)) : ""}`.trim();
}

// The names contain the time, so sorting by name sorts by time.
async function logFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => /^postgres-.*\.log$/.test(name)).sort();
}

async function tail(path: string): Promise<string> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2000), position: Math.max(0, size - 2000) });
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
