import { articleOperations } from "../../../../records/answers/feedback.ts";
import { type ArticleMark, loadArticleFeedback, markArticle, parseNote } from "../../../actions/article-feedback.ts";
import { Forbidden } from "../../../base/errors.ts";
import { requireRecord } from "../../../engine/find.ts";
import { storePageNotifications } from "../../../notifications/page-notifications.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** POST /knowledge_articles/:id/useful and /outdated, GET /knowledge_articles/:id/feedback: what readers say of it. */
export function articleRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("knowledge_article");
  const scope = { type: type.scopeName, action: "Read" } as const;
  const find = async (call: Call) => {
    const id = parseRecordId(call.params.id, type, domain);
    return { id, account: await requireRecord(call.engine, call.caller, type, id, "read") };
  };
  const buildMarkRoute = (mark: ArticleMark) => ({
    scope,
    async handle(call: Call) {
      const article = await find(call);
      const note = parseNote((await call.body()).members.note);
      const { caller: by } = call;
      await markArticle(call.engine, by, article, { mark, note }, (tx, author) => {
        const about = { type: type.name, record: article.id, note: null };
        const told = {
          account: article.account,
          person: author,
          kind: "answer",
          trigger: "knowledge_article/feedback",
        };
        storePageNotifications(tx, [{ ...told, ...about, by: by.person }], by.now);
      });
      return noContent;
    },
  });
  return serve(articleOperations, {
    "POST /knowledge_articles/:id/useful": buildMarkRoute("useful"),
    "POST /knowledge_articles/:id/outdated": buildMarkRoute("outdated"),
    "GET /knowledge_articles/:id/feedback": {
      scope,
      async handle(call) {
        const article = await find(call);
        const mayWrite = await requireRecord(call.engine, call.caller, type, article.id, "update").then(
          () => true,
          (error: unknown) => {
            if (error instanceof Forbidden) return false;
            throw error;
          },
        );
        return ok(await loadArticleFeedback(call.engine, call.caller, article, mayWrite));
      },
    },
  });
}
