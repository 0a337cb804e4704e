import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";

// How elements look with which nothing is wrong, in the words of run-axe.ts. Workers tell each other by a file.

const known = new Set<string>();
const file = () => join(dirname(inject("statementsFolder")), "known-looks");

export function readKnownLooks(): ReadonlySet<string> {
  if (existsSync(file())) for (const look of readFileSync(file(), "utf8").split("\n").slice(0, -1)) known.add(look);
  return known;
}

export function addKnownLooks(looks: readonly string[]): void {
  for (const look of looks) known.add(look);
  if (looks.length > 0) appendFileSync(file(), `${looks.join("\n")}\n`);
}
