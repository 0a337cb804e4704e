import type { Params, SignedInVisit } from "./page-routes.ts";

export type JsonBody = Record<string, unknown>;

/** A route of the session interface, below /session-api. */
export type SessionRoute = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  status?: number;
  /** undefined: 204 */
  handle(visit: SignedInVisit, params: Params, body: JsonBody): Promise<unknown>;
};
