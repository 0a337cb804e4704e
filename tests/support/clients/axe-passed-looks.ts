import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";

// Looks of elements that passed axe, as defined in run-axe.ts. Workers share them through a file.

const file = () => join(dirname(inject("statementsFolder")), "known-looks");

export const readKnownLooks = (): string[] =>
  existsSync(file()) ? readFileSync(file(), "utf8").split("\n").slice(0, -1) : [];

export function addKnownLooks(looks: readonly string[]): void {
  if (looks.length > 0) appendFileSync(file(), `${looks.join("\n")}\n`);
}
