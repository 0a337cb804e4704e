import { useState } from "react";

const read = (key: string): ReadonlySet<number> => {
  try {
    const phases: number[] = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(phases);
  } catch {
    return new Set(); // storage is switched off, or holds what we did not write
  }
};

/** The phases of a project that are folded, kept in this browser. */
export function useFolded(project: number): [ReadonlySet<number>, (phase: number) => void] {
  const key = `steward-folded-project-${project}`;
  const [folded, setFolded] = useState(() => read(key));
  const toggle = (phase: number) =>
    setFolded((was) => {
      const next = new Set(was);
      if (!next.delete(phase)) next.add(phase);
      try {
        localStorage.setItem(key, JSON.stringify([...next]));
      } catch {
        // it lasts as long as the page then
      }
      return next;
    });
  return [folded, toggle];
}
