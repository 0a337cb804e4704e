import type { Type } from "../../engine/types.ts";
import { allows } from "../../oauth/scopes/scopes.ts";
import { type Api, identify, requireIdentity } from "./pipeline.ts";
import type { Call } from "./route.ts";

/** Whether the token of a call may read records of a type, for routes whose answers hold records of several types. */
export async function loadReadScopes(api: Api, call: Call): Promise<(type: Type) => boolean> {
  const scopes = requireIdentity(await identify(api, call.request), false)?.scopes ?? [];
  return ({ scopeName }) => allows(scopes, scopeName, "Read", call.caller.account);
}
