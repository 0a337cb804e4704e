import { type Draft, parseDraft } from "../../../drafts/draft.ts";
import type { Changes } from "../../../parts/save/use-save.ts";

// The notes on their way, as this browser keeps them. Pages of one browser share them: each note has a lock.

export type PendingNote = {
  /** names it for the server */
  key: string;
  /** as it will be read */
  text: string;
  internal: boolean;
  changes: Changes;
  /** put back into the composer when the note is taken back */
  written: Draft;
  at: number;
  state: "waiting" | "sending" | "failed";
  error?: unknown;
};

/** Keeps a note in this browser, without what lives as long as the page. */
export const keepNote = (name: string, { error: _, ...note }: PendingNote): void =>
  localStorage.setItem(name, JSON.stringify(note));

/** The keys of the notes that are kept. */
export function listKept(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  } catch {
    return []; // storage is switched off
  }
}

export function readKept(name: string): PendingNote | null {
  try {
    const note: PendingNote | null = JSON.parse(localStorage.getItem(name) ?? "null");
    return note === null ? null : { ...note, written: parseDraft(note.written) };
  } catch {
    return null; // storage is switched off, or it is not ours
  }
}

/** The locks that pages of this tab have, by name. */
const releases = new Map<string, () => void>();

/** Resolves when no other page has the note, which is this page's until it is released or the tab is closed. */
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
