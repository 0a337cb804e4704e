import type { Values } from "../../engine/rules.ts";

/** The number in a field that is known by name only, such as the id in a reference; null when there is none. */
export const getNumberOrNull = (values: Values | null | undefined, field: string): number | null => {
  const value = values?.[field];
  return typeof value === "number" ? value : null;
};
