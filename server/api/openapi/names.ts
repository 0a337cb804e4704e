import { deriveLabel } from "../../../records/languages/index.ts";
import type { Type } from "../../engine/types.ts";

// One way to turn names on the wire into names of schemas and operations.

/** agile_board, task.status and sla@draft in the form that generated code uses: AgileBoard, TaskStatus. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const getSchemaName = (type: Type): string => toPascalCase(type.name);

/** "agile board", "SLA": a name inside a sentence. */
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
