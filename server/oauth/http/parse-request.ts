import type { FastifyRequest } from "fastify";
import { BadRequest } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { ClientCredentials } from "../applications/clients.ts";
import { OauthError } from "../errors.ts";
import { TokenParameters } from "../token/token-parameters.ts";

// Parses the body (form or JSON) and the client credentials of token and revocation requests. The query is ignored.

const invalidRequest = (description: string) => new OauthError("invalid_request", description);
const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeBody(request: FastifyRequest): string {
  const body = request.body;
  if (body === undefined || body === null) return "";
  if (!Buffer.isBuffer(body)) throw invalidRequest("The body must be a form or JSON.");
  try {
    return utf8.decode(body);
  } catch {
    throw invalidRequest("The body is not valid UTF-8.");
  }
}

export type BodyParsers = {
  /** both refuse bodies with too many members before they parse them */
  parseJson(text: string): Record<string, unknown>;
  parseForm(text: string): URLSearchParams;
};

function parsePairs(text: string, isForm: boolean, { parseJson, parseForm }: BodyParsers): [string, unknown][] {
  try {
    return isForm ? [...parseForm(text)] : Object.entries(parseJson(text));
  } catch (error) {
    throw error instanceof BadRequest ? invalidRequest(error.message) : error;
  }
}

export function parseTokenParameters(request: FastifyRequest, parsers: BodyParsers): TokenParameters {
  const type = String(request.headers["content-type"] ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase();
  const text = decodeBody(request);
  if (text === "") return new TokenParameters(new Map());
  const isForm = type === "application/x-www-form-urlencoded";
  if (!isForm && type !== "application/json")
    throw invalidRequest("The content type must be application/x-www-form-urlencoded or application/json.");
  const values = new Map<string, string>();
  for (const [name, value] of parsePairs(text, isForm, parsers)) {
    if (values.has(name)) throw invalidRequest(`The parameter ${name.slice(0, 40)} is repeated.`);
    if (value === null) continue;
    if (typeof value !== "string" || !isStorable(value) || !isStorable(name))
      throw invalidRequest(`The parameter ${name.slice(0, 40).toWellFormed()} must be text.`);
    values.set(name, value);
  }
  return new TokenParameters(values);
}

/** From the body or from HTTP Basic, never both: RFC 6749, section 2.3. */
export function parseClientCredentials(request: FastifyRequest, parameters: TokenParameters): ClientCredentials {
  const basic = /^basic +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "");
  if (basic === null) return { id: parameters.required("client_id"), secret: parameters.required("client_secret") };
  if (parameters.optional("client_secret") !== null)
    throw invalidRequest("The client must prove itself in the header or in the body, not in both.");
  const text = Buffer.from(basic[1] as string, "base64").toString("utf8");
  const at = text.indexOf(":");
  const [id, secret] = [decodePart(text.slice(0, Math.max(at, 0))), decodePart(text.slice(at + 1))];
  if (at < 0 || id === null || secret === null || id === "" || secret === "")
    throw invalidRequest("The Authorization header is not valid.");
  const bodyClientId = parameters.optional("client_id");
  if (bodyClientId !== null && bodyClientId !== id)
    throw invalidRequest("The client_id differs from that of the Authorization header.");
  return { id, secret };
}

function decodePart(text: string): string | null {
  try {
    const value = decodeURIComponent(text.replaceAll("+", " "));
    return isStorable(value) ? value : null;
  } catch {
    return null;
  }
}
