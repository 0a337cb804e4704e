import { readdirSync, readFileSync } from "node:fs";

// Processor time of processes, from /proc. Unlike calls per second it hardly depends on what else the machine does.

const ticksPerSecond = 100; // of every Linux that Node supports

type Stat = { parent: number; own: number; children: number };

function readStat(pid: number | string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program may contain blanks; it ends at the last bracket.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (index: number) => Number(fields[index]);
    return { parent: at(1), own: at(11) + at(12), children: at(13) + at(14) };
  } catch {
    return null; // not Linux, or it has ended
  }
}

/** Milliseconds of a process and of all that it started, those that have ended included. */
export function readProcessorTime(pid: number): number {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(name) : null;
    if (stat !== null) stats.set(Number(name), stat);
  }
  const add = (id: number): number => {
    const stat = stats.get(id);
    if (stat === undefined) return 0;
    let ticks = stat.own + stat.children;
    for (const [child, { parent }] of stats) if (parent === id) ticks += add(child);
    return ticks;
  };
  return (add(pid) * 1000) / ticksPerSecond;
}
