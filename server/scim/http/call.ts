import { BadRequest, TooLarge, UnsupportedType } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Members } from "../change/draft.ts";
import { invalidValue, ScimError } from "../errors.ts";
import type { Actor, Scim } from "../scim-context.ts";

/** One call of the interface. */
export type ScimCall = {
  scim: Scim;
  actor: Actor;
  method: string;
  /** the words of the path below the base: Users, 12 */
  words: readonly string[];
  query: URLSearchParams;
  /** the address of the base, for locations */
  base: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  readBody(): Members;
};

export type ScimAnswer = { status: number; body: Members | null; headers?: Record<string, string> };

const maxBytes = 1_048_576;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The object of a body. Clients say application/scim+json, application/json, or nothing. */
export function readBody({ parseJson }: Pick<Scim, "parseJson">, raw: unknown, contentType: string): Members {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "" && type !== "application/json" && type !== "text/json" && !type.endsWith("+json"))
    throw new UnsupportedType(`The content type ${type} is not supported, send application/scim+json`);
  if (!Buffer.isBuffer(raw) || raw.length === 0) throw new ScimError(400, "invalidSyntax", "The body is empty.");
  if (raw.length > maxBytes) throw new TooLarge();
  const body = parseBody(parseJson, raw);
  requireStorable(body);
  return body;
}

function parseBody(parseJson: Scim["parseJson"], raw: Buffer): Members {
  try {
    return parseJson(utf8.decode(raw));
  } catch (error) {
    if (error instanceof BadRequest || error instanceof TypeError)
      throw new ScimError(400, "invalidSyntax", error.message || "The body is not JSON.");
    throw error;
  }
}

/** Characters that no database stores are refused everywhere. */
function requireStorable(value: unknown): void {
  if (typeof value === "string") {
    if (!isStorable(value)) throw invalidValue("The body contains characters that cannot be stored.");
  } else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      requireStorable(name);
      requireStorable(member);
    }
}

/** The versions of If-Match or If-None-Match; null: the header is not there. */
export function readVersions({ headers }: ScimCall, name: "if-match" | "if-none-match"): string[] | null {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(",") : value;
  if (text === undefined || text.trim() === "") return null;
  return text
    .split(",")
    .map((each) => each.trim())
    .map((each) => (each === "*" || each.startsWith("W/") ? each : `W/${each}`));
}

/** The id in a path; resources have no other names. */
export function readId(word: string, what: string): number {
  if (!/^[1-9]\d{0,8}$/.test(word)) throw new ScimError(404, null, `There is no such ${what}.`);
  return Number(word);
}
