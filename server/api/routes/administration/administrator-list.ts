import type { Shape } from "../../../../records/vocabulary/index.ts";
import type { Caller } from "../../../engine/caller.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { Page } from "../../../engine/list.ts";
import { respondWithEntries } from "../../http/entry-fields.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { ApiResponse, Call, Route } from "../../http/route.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

type Load = (engine: Engine, by: Caller, query: ReturnType<typeof parseListQuery>) => Promise<Page>;
type AdministratorList = Pick<Route, "scope"> & { handle(call: Call): Promise<ApiResponse<never>> };

/** A list of the account, page by page, for its administrators. */
export const buildAdministratorList = (type: string, load: Load, entry: Shape): AdministratorList => ({
  scope: { type, action: "Read" },
  async handle(call) {
    requireAdministeredAccount(call);
    const query = parseListQuery(call.query, null);
    return respondWithEntries(call, query, await load(call.engine, call.caller, query), entry);
  },
});
