import type { Resource } from "../schema/attribute.ts";
import type { Draft } from "./draft.ts";
import { type Mode, setByName } from "./set-attribute.ts";

/**
 * Merges the body of a POST, a PUT, or a PATCH without operations: only what is given changes. `members`: a PUT replaces
 * the members of a group, a PATCH adds to them.
 */
export function mergeBody(
  resource: Resource,
  draft: Draft,
  body: Readonly<Record<string, unknown>>,
  members: Mode,
): void {
  for (const [name, value] of Object.entries(body)) {
    const mode = name.toLowerCase() === "members" ? members : "replace";
    setByName(resource, draft, name, value, mode, "body");
  }
}
