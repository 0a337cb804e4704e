import type { FastifyRequest } from "fastify";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Credentials } from "../clients.ts";
import { OauthError } from "../errors.ts";
import { Parameters } from "../grants/parameters.ts";

// The body of a token or revocation request, as a form or as JSON, and who sends it. The query string is not read.

const refuse = (description: string) => new OauthError("invalid_request", description);
const utf8 = new TextDecoder("utf-8", { fatal: true });

function textOf(request: FastifyRequest): string {
  const body = request.body;
  if (body === undefined || body === null) return "";
  if (!Buffer.isBuffer(body)) throw refuse("The body must be a form or JSON.");
  try {
    return utf8.decode(body);
  } catch {
    throw refuse("The body is not valid UTF-8.");
  }
}

function formPairs(text: string): [string, unknown][] {
  return [...new URLSearchParams(text)];
}

function jsonPairs(text: string): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("The body must be an object.");
  return Object.entries(value);
}

export function readParameters(request: FastifyRequest): Parameters {
  const type = String(request.headers["content-type"] ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase();
  const text = textOf(request);
  if (text === "") return new Parameters(new Map());
  const isForm = type === "application/x-www-form-urlencoded";
  if (!isForm && type !== "application/json")
    throw refuse("The content type must be application/x-www-form-urlencoded or application/json.");
  const values = new Map<string, string>();
  for (const [name, value] of isForm ? formPairs(text) : jsonPairs(text)) {
    if (values.has(name)) throw refuse(`The parameter ${name.slice(0, 40)} is repeated.`);
    if (value === null) continue;
    if (typeof value !== "string" || !isStorable(value) || !isStorable(name))
      throw refuse(`The parameter ${name.slice(0, 40).toWellFormed()} must be text.`);
    values.set(name, value);
  }
  return new Parameters(values);
}

/** From the body or by HTTP Basic, never by both: RFC 6749, section 2.3. */
export function readCredentials(request: FastifyRequest, parameters: Parameters): Credentials {
  const sent = /^basic +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "");
  if (sent === null) return { id: parameters.required("client_id"), secret: parameters.required("client_secret") };
  if (parameters.optional("client_secret") !== null)
    throw refuse("The client must prove itself in the header or in the body, not in both.");
  const text = Buffer.from(sent[1] as string, "base64").toString("utf8");
  const at = text.indexOf(":");
  const [id, secret] = [decoded(text.slice(0, Math.max(at, 0))), decoded(text.slice(at + 1))];
  if (at < 0 || id === null || secret === null || id === "" || secret === "")
    throw refuse("The Authorization header is not valid.");
  const named = parameters.optional("client_id");
  if (named !== null && named !== id) throw refuse("The client_id differs from that of the Authorization header.");
  return { id, secret };
}

function decoded(text: string): string | null {
  try {
    const value = decodeURIComponent(text.replaceAll("+", " "));
    return isStorable(value) ? value : null;
  } catch {
    return null;
  }
}
