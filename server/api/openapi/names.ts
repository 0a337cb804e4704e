import { deriveLabel } from "../../../records/languages/index.ts";
import type { Type } from "../../engine/types.ts";

// Turns names of the API into names of schemas and operations.

/** agile_board and task.status as generated code writes them: AgileBoard, TaskStatus. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const getSchemaName = (type: Type): string => toPascalCase(type.name);

/** A name as it appears inside a sentence: "agile board", "SLA". */
export function toWords(name: string): string {
  const label = deriveLabel(name);
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** "an agile board", "a person", "an SLA". */
export function withArticle(name: string): string {
  const words = toWords(name);
  return `${/^([aeio]|u(?!n?i)|un(?!i)|[AFHILMNORSX][A-Z])/.test(words) ? "an" : "a"} ${words}`;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
