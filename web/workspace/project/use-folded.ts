import { useState } from "react";

const read = (key: string): ReadonlySet<number> => {
  try {
    const phases: number[] = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(phases);
  } catch {
    return new Set(); // storage is disabled, or contains something we didn't write
  }
};

/** The collapsed phases of a project, stored in this browser. */
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
        // not stored: it lasts as long as the page
      }
      return next;
    });
  return [folded, toggle];
}
