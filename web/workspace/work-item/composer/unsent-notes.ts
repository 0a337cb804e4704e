import { type Draft, parseDraft } from "../../../drafts/draft.ts";
import type { Changes } from "../../../parts/save/use-save.ts";

// Unsent notes, as stored in this browser. Its pages share them: each note has a lock.

export type PendingNote = {
  /** the idempotency key of the note */
  key: string;
  /** the displayed text */
  text: string;
  internal: boolean;
  changes: Changes;
  /** restored in the composer when the note is undone */
  written: Draft;
  at: number;
  state: "waiting" | "sending" | "failed";
  error?: unknown;
};

/** Stores a note in this browser, without the members that last only as long as the page. */
export const keepNote = (name: string, { error: _, ...note }: PendingNote): void =>
  localStorage.setItem(name, JSON.stringify(note));

/** The keys of the stored notes. */
export function listKept(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  } catch {
    return []; // storage is disabled
  }
}

export function readKept(name: string): PendingNote | null {
  try {
    const note: PendingNote | null = JSON.parse(localStorage.getItem(name) ?? "null");
    return note === null ? null : { ...note, written: parseDraft(note.written) };
  } catch {
    return null; // storage is disabled, or the value isn't ours
  }
}

/** The locks held by pages of this tab, by name. */
const releases = new Map<string, () => void>();

/** Resolves when no other page holds the note; this page then holds it until it is released or the tab is closed. */
export const acquire = (name: string, signal?: AbortSignal): Promise<void> =>
  new Promise((acquired, fail) => {
    const hold = () =>
      new Promise<void>((release) => {
        releases.set(name, release);
        acquired();
      });
    navigator.locks.request(name, { signal }, hold).catch(fail);
  });

export function release(name: string): void {
  releases.get(name)?.();
  releases.delete(name);
}
