import { createHash } from "node:crypto";
import { FileDamaged, FileMissing } from "./errors.ts";
import type { FileStore } from "./file-store.ts";

// Moves files from one store to another while a server uses both (FallbackStore). A run that was interrupted is begun again:
// what is there already, with the same checksum, is not sent again.

export type MoveSummary = { moved: number; present: number; gone: number; bytes: number };

type Move = { from: FileStore; to: FileStore; isKept: boolean; report(summary: MoveSummary): void };

const concurrency = 8;

export async function moveFiles(move: Move): Promise<MoveSummary> {
  const summary: MoveSummary = { moved: 0, present: 0, gone: 0, bytes: 0 };
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  for await (const { key } of move.from.list("")) {
    const one = moveFile(move, key)
      .then(({ outcome, size }) => {
        summary[outcome]++;
        if (outcome === "moved") summary.bytes += size;
        move.report(summary);
      })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= concurrency) await Promise.race(running);
    if (failure !== null) break;
  }
  await Promise.all(running);
  if (failure !== null) throw (failure as { error: unknown }).error;
  return summary;
}

type Outcome = { outcome: "moved" | "present" | "gone"; size: number };

async function moveFile({ from, to, isKept }: Move, key: string): Promise<Outcome> {
  const gone: Outcome = { outcome: "gone", size: 0 };
  try {
    const source = await hashFile(from, key);
    let outcome: "moved" | "present" = "present";
    if ((await hashIfThere(to, key)) !== source.sha256) {
      outcome = "moved";
      const { stream } = await from.read(key);
      await to.write(key, stream, Number.POSITIVE_INFINITY);
      const { sha256 } = await hashFile(to, key);
      if (sha256 !== source.sha256) throw new Error(`${key} has another checksum where it was moved to`);
    }
    // A server removes a file from the old store first. If it is still there, the server will remove the copy, too.
    if ((await from.getSize(key)) === null) {
      await to.remove(key);
      return gone;
    }
    if (!isKept) await from.remove(key);
    return { outcome, size: source.size };
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    if ((await from.getSize(key)) !== null) throw error;
    await to.remove(key);
    return gone;
  }
}

async function hashFile(store: FileStore, key: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  const { stream, size } = await store.read(key);
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return { sha256: hash.digest("hex"), size };
}

/** Null: it is not there, or damaged. */
async function hashIfThere(store: FileStore, key: string): Promise<string | null> {
  try {
    return (await hashFile(store, key)).sha256;
  } catch (error) {
    if (error instanceof FileMissing || error instanceof FileDamaged) return null;
    throw error;
  }
}
