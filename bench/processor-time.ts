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

/** Milliseconds of a process and of its children, those that have ended included. */
export function readProcessorTime(pid: number): number {
  const own = readStat(pid);
  if (own === null) return 0;
  let ticks = own.own + own.children;
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name)) {
      const stat = readStat(name);
      if (stat?.parent === pid) ticks += stat.own + stat.children;
    }
  return (ticks * 1000) / ticksPerSecond;
}
