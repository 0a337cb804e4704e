import { portalArticleOperations } from "../../../../records/answers/portal-articles.ts";
import { countArticleView, findArticles, listArticles, loadArticle } from "../../../actions/portal/articles.ts";
import { BadRequest } from "../../../base/errors.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getParameter } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { needScopes } from "./needed-scopes.ts";

const maxTextLength = 500;

function parseLocale(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[a-z]{2}(-[A-Za-z]{2,4})?$/.test(text))
    throw new BadRequest("Parameter 'locale' must be a language, such as nl");
  return text;
}

/** Knowledge articles as requesters read them. */
export function portalArticleRoutes({ engine: { types }, domain }: Api): Route[] {
  const parseId = ({ params }: Call) => parseRecordId(params.id, types.get("knowledge_article"), domain);
  const scopes = needScopes(types, ["knowledge_article", "Read"]);
  return serve(portalArticleOperations, {
    "GET /portal/articles": {
      ...scopes,
      handle: async ({ engine, caller }) => ok(await listArticles(engine, caller)),
    },
    "GET /portal/articles/search": {
      ...scopes,
      async handle({ engine, caller, query }) {
        const text = (getParameter(query, "text") ?? "").slice(0, maxTextLength);
        return ok(await findArticles(engine, caller, text));
      },
    },
    "GET /portal/articles/:id": {
      ...scopes,
      async handle(call) {
        const locale = parseLocale(getParameter(call.query, "locale"));
        return ok(await loadArticle(call.engine, call.caller, parseId(call), locale));
      },
    },
    // A view is no change of the article: those who may read it count as readers.
    "POST /portal/articles/:id/views": {
      ...scopes,
      async handle(call) {
        await countArticleView(call.engine, call.caller, parseId(call));
        return noContent;
      },
    },
  });
}
