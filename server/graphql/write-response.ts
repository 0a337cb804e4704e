import type { SharedTurns } from "../base/shared-turns.ts";

// Writes a response as JSON in several turns of the event loop: a response of some megabytes would block it otherwise.

/** Values below this depth are written in one piece: records of a page, and those of a list below them. */
const maxDepth = 8;

type Raw = { isRawJSON(value: unknown): boolean };

const isPlainObject = (value: object): boolean => !("toJSON" in value) && !(JSON as unknown as Raw).isRawJSON(value);

function* writePieces(value: unknown, depth: number): Generator<string> {
  if (typeof value !== "object" || value === null || depth === 0 || !isPlainObject(value)) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [name, member] of isList ? value.entries() : Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* writePieces(member, depth - 1);
    separator = ",";
  }
  yield `${separator === "," ? "" : separator}${isList ? "]" : "}"}`;
}

/** The JSON text of a response, which is an object. */
export async function writeResponse(response: object, turns: SharedTurns): Promise<string> {
  let turn = await turns.next();
  let text = "";
  for (const piece of writePieces(response, maxDepth)) {
    text += piece;
    if (performance.now() >= turn.end) turn = await turns.next();
  }
  return text;
}
