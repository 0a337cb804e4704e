import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Parameter } from "../../engine/read/list-query.ts";
import type { Body } from "../../engine/write/input.ts";
import type { Action } from "../../oauth/scopes/scopes.ts";

/** One call of the API, as a route sees it. */
export type Call = {
  request: FastifyRequest;
  reply: FastifyReply;
  engine: Engine;
  /** throws 401 on routes that need no credentials and got none */
  caller: Caller;
  query: readonly Parameter[];
  params: Readonly<Record<string, string>>;
  /** the members of the body and the query */
  body(): Promise<Body>;
  /** scheme and host for absolute URLs in the answer */
  origin: string;
};

export type ApiResponse = { status: number; json?: string; headers?: Record<string, string> };

export type Route = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** below {base_url} */
  path: string;
  /** what a token must be allowed to do; null: no scope needed */
  scope: { type: string; action: Action } | null;
  /** answers without credentials too; bad ones are still a 401 */
  anonymous?: boolean;
  /** a GET that takes its parameters from a body as well */
  takesBody?: boolean;
  /** counted by the route itself */
  exemptFromRateLimit?: boolean;
  handle(call: Call): Promise<ApiResponse>;
};

export const ok = (json: string): ApiResponse => ({ status: 200, json });
export const created = (json: string): ApiResponse => ({ status: 201, json });
export const noContent: ApiResponse = { status: 204 };

/** Members nobody used are named, so that a typing error does not go unnoticed. */
export function buildIgnoredFieldsHeader(ignored: readonly string[]): Record<string, string> {
  if (ignored.length === 0) return {};
  const names = ignored.map((name) => name.replace(/[^\x21-\x2b\x2d-\x7e]/g, "?").slice(0, 100));
  return { "X-Ignored-Fields": names.slice(0, 50).join(", ") };
}
