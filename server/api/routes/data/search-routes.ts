import { maxQueryLength, searchOperations, searchSorts } from "../../../../records/answers/search.ts";
import { BadRequest, Forbidden } from "../../../base/errors.ts";
import { search } from "../../../engine/search/search.ts";
import { listSearchableTypes } from "../../../engine/search/sources.ts";
import type { Type } from "../../../engine/types.ts";
import { allows } from "../../../oauth/scopes/scopes.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseListQuery } from "../../http/parameters.ts";
import { type Api, identify, requireIdentity } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// CV31. The scopes of the token limit the types that are searchableTypes.

/** A type is named as in scopes, or by the word of its nodeIDs in lower case (CO35). */
const hasTypeWord = ({ scopeName, nodeType }: Type, word: string): boolean =>
  scopeName === word || nodeType.toLowerCase() === word;

export function searchRoutes(api: Api): Route[] {
  const searchableTypes = listSearchableTypes(api.engine.types);
  return serve(searchOperations, {
    "GET /search": {
      scope: null,
      async handle(call) {
        const { caller: by } = call;
        const identity = requireIdentity(await identify(api, call.request), false);
        const mayRead = searchableTypes.filter((type) =>
          allows(identity?.scopes ?? [], type.scopeName, "Read", by.account),
        );
        if (mayRead.length === 0) throw new Forbidden();
        const given = (name: string) => call.query.find((parameter) => parameter.name === name)?.value ?? "";
        const text = given("q").trim();
        if (text === "") throw new BadRequest("Parameter 'q' is missing");
        if ([...text].length > maxQueryLength)
          throw new BadRequest(`Parameter 'q' is longer than ${maxQueryLength} characters`);
        const names = given("types")
          .split(",")
          .map((name) => name.trim().replaceAll("_", "-").toLowerCase())
          .filter((name) => name !== "");
        const unknown = names.filter((name) => !searchableTypes.some((type) => hasTypeWord(type, name)));
        if (unknown.length > 0) throw new BadRequest(`Invalid value for parameter 'types': ${unknown.join(", ")}`);
        const { sort, perPage, page, after, before } = parseListQuery(call.query, null);
        const order = searchSorts.find((name) => name === (sort || "relevance"));
        if (order === undefined) throw new BadRequest(`Invalid value for parameter 'sort': ${sort}`);
        // Types with restricted access (SCIM users) are searched only if named: they would show every person twice.
        const types =
          names.length === 0
            ? mayRead.filter(({ access }) => !access.restricted)
            : mayRead.filter((type) => names.some((name) => hasTypeWord(type, name)));
        const found = await search(call.engine, by, { text, types, sort: order, perPage, page, after, before });
        return respondWithPage(call, found, perPage);
      },
    },
  });
}
