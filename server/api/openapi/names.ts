import { deriveLabel } from "../../../records/languages/index.ts";
import type { Type } from "../../engine/types.ts";

// One way to turn names on the wire into names of schemas and operations.

/** agile_board, task.status and sla@draft in the form that generated code uses: AgileBoard, TaskStatus. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const schemaName = (type: Type): string => pascal(type.name);

/** "agile board", "SLA": a name inside a sentence. */
export function inSentence(name: string): string {
  const label = deriveLabel(name);
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** "an agile board", "a person", "an SLA". */
export function one(name: string): string {
  const words = inSentence(name);
  return `${/^([aeio]|u(?!n?i)|un(?!i)|[AFHILMNORSX][A-Z])/.test(words) ? "an" : "a"} ${words}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
