import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "../../../records/vocabulary/index.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { FoundRecord } from "../../engine/find.ts";
import type { Parameter } from "../../engine/read/list-query.ts";
import type { Body } from "../../engine/write/input.ts";
import type { SaveResult } from "../../engine/write/respond.ts";
import type { Action } from "../../oauth/scopes/scopes.ts";
import type { StaticContent } from "./static-content.ts";

/** One API request, as a route handler receives it. */
export type Call = {
  request: FastifyRequest;
  reply: FastifyReply;
  engine: Engine;
  /** throws a 401 when an anonymous route was called without credentials */
  caller: Caller;
  query: readonly Parameter[];
  params: Readonly<Record<string, string>>;
  /** If-Match: the revisions that a change is meant for; undefined: any */
  revisions: ReadonlySet<number> | undefined;
  /** reads the body; members of the query are merged into it */
  body(): Promise<Body>;
  /** scheme and host for absolute URLs in the response */
  origin: string;
  /** the address of an account in responses */
  getAccountUrl(account: string): string;
};

/** `Answer`: what the JSON is, for the compiler. */
export type ApiResponse<Answer = unknown> = {
  readonly answer?: Answer;
  status: number;
  json?: string;
  /** a response that is the same for all callers, instead of `json` */
  content?: StaticContent;
  headers?: Record<string, string>;
};

export type NeededScope = { type: string; action: Action };

export type Route = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** below {base_url} */
  path: string;
  /** what a token must be allowed to do; null: no scope needed */
  scope: NeededScope | null;
  /** further scopes that a token needs, for records of other types in the answer or in the change (D-799) */
  alsoNeeds?: readonly NeededScope[];
  /** needs no credentials; invalid ones are still a 401 */
  anonymous?: boolean;
  /** gives access beyond a session: a person in a browser must authenticate again (D-553) */
  needsRecentProof?: boolean;
  /** pages call it by themselves, time and again: the request log leaves out successful calls, and what was sent */
  isRoutine?: boolean;
  /** a GET that also reads parameters from a body */
  takesBody?: boolean;
  /** what it answers where that is not JSON; the Accept header is then not checked */
  mediaType?: string;
  /** the route does its own rate limiting */
  exemptFromRateLimit?: boolean;
  /** its declaration in records/answers; routes of record types have none */
  operation?: Operation;
  handle(call: Call): Promise<ApiResponse>;
};

/** All scopes that a token needs for a route. */
export const listNeededScopes = ({ scope, alsoNeeds = [] }: Pick<Route, "scope" | "alsoNeeds">): NeededScope[] =>
  scope === null ? [] : [scope, ...alsoNeeds];

/** No string: that would be JSON already, for `okJson`. */
type Value = object | number | boolean | null;
export const ok = <Answer extends Value>(answer: Answer): ApiResponse<Answer> => ({
  status: 200,
  json: JSON.stringify(answer),
});
export const created = <Answer extends Value>(answer: Answer): ApiResponse<Answer> => ({
  status: 201,
  json: JSON.stringify(answer),
});
export const accepted = <Answer extends Value>(answer: Answer): ApiResponse<Answer> => ({
  status: 202,
  json: JSON.stringify(answer),
});
// JSON that a statement or a serializer wrote. The compiler knows nothing of it; tests compare it with the declaration.
export const okJson = (json: string): ApiResponse<never> => ({ status: 200, json });
export const createdJson = (json: string): ApiResponse<never> => ({ status: 201, json });
export const noContent: ApiResponse<never> = { status: 204 };

/** The revision of the record in the answer, for a later If-Match. */
export const buildRevisionHeader = (revision: number | null): Record<string, string> =>
  revision === null ? {} : { "X-Revision": String(revision) };

/** A record that was read or changed. */
export const respondWithRecord = ({ json, revision }: FoundRecord): ApiResponse<never> => ({
  status: 200,
  json,
  headers: buildRevisionHeader(revision),
});

/** A record that was saved. */
export const respondWithSaved = ({ json, revision, ignored }: SaveResult): ApiResponse<never> => ({
  status: 200,
  json,
  headers: { ...buildIgnoredFieldsHeader(ignored), ...buildRevisionHeader(revision) },
});

/** Names the members that were ignored, so that clients notice typing errors. */
export function buildIgnoredFieldsHeader(ignored: readonly string[]): Record<string, string> {
  if (ignored.length === 0) return {};
  const names = ignored.map((name) => name.replace(/[^\x21-\x2b\x2d-\x7e]/g, "?").slice(0, 100));
  return { "X-Ignored-Fields": names.slice(0, 50).join(", ") };
}
