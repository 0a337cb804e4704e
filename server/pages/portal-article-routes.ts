import { countArticleView, findArticles, listArticles, loadArticle } from "../actions/portal/articles.ts";
import { BadRequest } from "../base/errors.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { parseIdParameter } from "./parse-parameters.ts";
import { loadSessionCaller, type SessionRoute } from "./session-routes.ts";

const maxTextLength = 500;

function parseLocale(text: string | null): string | null {
  if (text === null) return null;
  if (!/^[a-z]{2}(-[A-Za-z]{2,4})?$/.test(text))
    throw new BadRequest("Parameter 'locale' must be a language, such as nl");
  return text;
}

/** Articles in the portal, below /session-api/accounts/:account. */
export const portalArticleRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/portal/articles",
    handle: async (visit, params) => listArticles(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
  {
    method: "GET",
    path: "/portal/articles/search",
    async handle(visit, params) {
      const text = (visit.query.get("text") ?? "").slice(0, maxTextLength);
      if (!isStorable(text)) throw new BadRequest("Parameter 'text' contains invalid characters");
      return findArticles(visit.pages.engine, await loadSessionCaller(visit, params), text);
    },
  },
  {
    method: "GET",
    path: "/portal/articles/:id",
    handle: async (visit, params) =>
      loadArticle(
        visit.pages.engine,
        await loadSessionCaller(visit, params),
        parseIdParameter(params),
        parseLocale(visit.query.get("locale")),
      ),
  },
  {
    method: "POST",
    path: "/portal/articles/:id/views",
    handle: async (visit, params) =>
      countArticleView(visit.pages.engine, await loadSessionCaller(visit, params), parseIdParameter(params)),
  },
];
