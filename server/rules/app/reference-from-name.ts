import type { Change } from "../../engine/rules.ts";

/** Lower case; whatever is neither letter nor digit becomes one underscore: "X Y - Z" is x_y_z. */
export const buildReference = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");

/** A record without a reference of its own gets one from its name, and keeps it when the name changes. */
export function setReferenceFromName({ after }: Change): void {
  if (after.reference === null && typeof after.name === "string") after.reference = buildReference(after.name);
}
