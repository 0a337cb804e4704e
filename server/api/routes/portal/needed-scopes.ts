import type { TypeName } from "../../../../records/index.ts";
import type { Types } from "../../../engine/types.ts";
import type { Action } from "../../../oauth/scopes/scopes.ts";
import type { NeededScope, Route } from "../../http/route.ts";

type Need = readonly [type: TypeName, action: Action];

/** The scopes of the record types that an operation reads or changes; a token needs all of them (D-799). */
export function needScopes(types: Types, first: Need, ...others: readonly Need[]): Pick<Route, "scope" | "alsoNeeds"> {
  const build = ([type, action]: Need): NeededScope => ({ type: types.get(type).scopeName, action });
  return { scope: build(first), alsoNeeds: others.map(build) };
}
