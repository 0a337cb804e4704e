import type { Readable } from "node:stream";
import { BadRequest, TooLarge, UnsupportedType } from "../../base/errors.ts";
import type { Parameter } from "../../engine/read/list-query.ts";
import type { Body } from "../../engine/write/input.ts";
import { type BodyLimits, bodyLimits, scanForm, scanJson, smallBodyLimits } from "./json-scan.ts";

// Reads JSON, form and multipart bodies. Query parameters are merged in; the body wins. Depth and size are limited before
// any code recurses into the result.

export const bodyLimit = 1_048_576;
const maxFormFields = 5000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function decodeText(bytes: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8" && charset !== "us-ascii")
    throw new BadRequest(`The charset ${charset} is not supported, only utf-8`);
  try {
    return utf8.decode(bytes); // a byte-order mark is dropped
  } catch {
    throw new BadRequest("The body is not valid UTF-8");
  }
}

export function parseJson(text: string, limits: BodyLimits = bodyLimits): Record<string, unknown> {
  scanJson(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest("Invalid JSON string posted");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadRequest("The body must be a JSON object");
  if (text.includes("__proto__") || text.includes("\\u")) refusePrototypes(value as Record<string, unknown>);
  return value as Record<string, unknown>;
}

/** For requests that need no credentials. */
export const parseSmallJson = (text: string): Record<string, unknown> => parseJson(text, smallBodyLimits);

export function parseSmallForm(text: string): URLSearchParams {
  scanForm(text, smallBodyLimits.members);
  return new URLSearchParams(text);
}

function refusePrototypes(value: object): void {
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__") throw new BadRequest("Invalid JSON string posted");
    if (typeof member === "object" && member !== null) refusePrototypes(member);
  }
}

/** Parses name=value, name[]=value and name[member]=value. A list that also has members becomes an object. */
function parseFormMembers(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    const match = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name);
    const [outer, inner] = match === null ? [name, null] : [match[1] as string, match[2] as string];
    const existing = members.get(outer);
    if (inner === null) members.set(outer, value);
    else if (existing instanceof Map) existing.set(inner, value);
    else if (inner === "" && Array.isArray(existing)) existing.push(value);
    else if (inner === "") members.set(outer, [value]);
    else
      members.set(
        outer,
        new Map<string, unknown>([...(Array.isArray(existing) ? Object.entries(existing) : []), [inner, value]]),
      );
  }
  return Object.fromEntries(
    [...members].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}

/** The framework does not read the body of a GET. It is read to its end even when too large: then the response can be sent. */
export const readBytes = (body: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    body.on("data", (part: Buffer) => {
      size += part.length;
      if (size > bodyLimit) reject(new TooLarge());
      else parts.push(part);
    });
    body.on("end", () => resolve(Buffer.concat(parts)));
    body.on("error", () => reject(new BadRequest("The body ended early")));
  });

export type RawBody = Buffer | Readable | undefined | null;

export async function readBody(
  raw: RawBody,
  contentType: string,
  query: readonly Parameter[],
  readMultipart: (contentType: string, body: Readable) => Promise<Iterable<[string, string]>>,
): Promise<Body> {
  const members = query.filter((parameter) => parameter.name !== "fields"); // chooses the fields of the response
  const fromQuery = parseFormMembers(members.map((parameter) => [parameter.name, parameter.value]));
  if (raw === undefined || raw === null || (Buffer.isBuffer(raw) && raw.length === 0)) return { members: fromQuery };
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!Buffer.isBuffer(raw)) {
    if (type !== "multipart/form-data") throw new UnsupportedType(`The content type ${type} is not supported`);
    return { members: { ...fromQuery, ...parseFormMembers(await readMultipart(contentType, raw)) } };
  }
  if (raw.length > bodyLimit) throw new TooLarge();
  const text = decodeText(raw, contentType);
  if (type === "application/x-www-form-urlencoded") {
    scanForm(text, maxFormFields);
    return { members: { ...fromQuery, ...parseFormMembers(new URLSearchParams(text)) } };
  }
  if (type !== "application/json" && type !== "" && !type.endsWith("+json") && type !== "text/json")
    throw new UnsupportedType(`The content type ${type} is not supported, send application/json`);
  if (text.trim() === "") return { members: fromQuery };
  const parsed = parseJson(text);
  let numberTexts: Record<string, unknown> | null = null;
  // Parsing loses digits of fractions and exponents only: those are looked up in the text.
  const isPlain = !/[\d][.eE]/.test(text);
  return {
    members: { ...fromQuery, ...parsed },
    numberText(member) {
      if (isPlain) return undefined;
      numberTexts ??= parseNumbersAsText(text);
      const source = numberTexts[member];
      return typeof source === "string" ? source : undefined;
    },
  };
}

/** Numbers of a body as they were written, without loss of digits. */
function parseNumbersAsText(text: string): Record<string, unknown> {
  type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
  const keepSource: Reviver = (_key, value, context) =>
    typeof value === "number" ? (context.source ?? String(value)) : value;
  return JSON.parse(text, keepSource as (this: unknown, key: string, value: unknown) => unknown) as Record<
    string,
    unknown
  >;
}
