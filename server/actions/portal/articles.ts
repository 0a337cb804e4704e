import type { FoundArticle, PortalArticle, PortalArticleEntry } from "../../../records/answers/portal-articles.ts";
import { statement } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { find, requireRecord } from "../../engine/find.ts";
import { search } from "../../engine/search/search.ts";
import { listRecords } from "./list-records.ts";

// Articles as requesters read them: in their own language if there is a translation, and counted when they are opened.

const getLanguage = (locale: string): string => locale.split("-")[0] ?? locale;

type Translated = { id: number; subject: string; description: string | null };
const selectTranslated = jsonStatement<Translated>(
  `SELECT a.id, t.subject, left(t.description, 1000) AS description FROM knowledge_article_translations t JOIN knowledge_articles a ON a.id = t.knowledge_article_id AND a.account_id = t.account_id
WHERE t.account_id = $1 AND a.id = ANY($2::integer[]) AND split_part(t.locale, '-', 1) = $4 AND split_part(a.locale, '-', 1) <> $4
ORDER BY t.locale = $3, t.locale`,
);

/** The translations of these articles into the language of the caller; none for those that are written in it. */
async function loadTranslated(engine: Engine, by: Caller, ids: readonly number[]): Promise<Map<number, Translated>> {
  if (ids.length === 0) return new Map();
  const values = [by.account, ids, by.language, getLanguage(by.language)];
  const rows = await queryRows(engine.database, selectTranslated, values);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same articles, with their subjects and descriptions in the language of the caller, as far as they have them. */
export async function localizeArticles<Article extends { id: number; subject: string; description?: string }>(
  engine: Engine,
  by: Caller,
  articles: readonly Article[],
): Promise<Article[]> {
  const translated = await loadTranslated(
    engine,
    by,
    articles.map(({ id }) => id),
  );
  return articles.map((article) => {
    const { subject, description } = translated.get(article.id) ?? {};
    return {
      ...article,
      ...(subject === undefined ? {} : { subject }),
      ...("description" in article && description != null ? { description } : {}),
    };
  });
}

const foundArticles = 10;
type SearchHit = { id: number; title: string; details?: string };

/** Articles with these words, the best first, as the caller would read them. */
export async function findArticles(engine: Engine, by: Caller, text: string): Promise<FoundArticle[]> {
  const type = engine.types.get("knowledge_article");
  const page = { sort: "relevance", perPage: foundArticles, page: null, after: null, before: null } as const;
  const { records } = await search(engine, by, { text, types: [type], ...page });
  const found = records.map((json): SearchHit => JSON.parse(json));
  const translated = await loadTranslated(
    engine,
    by,
    found.map(({ id }) => id),
  );
  return found.map(({ id, title, details }) => {
    const { subject, description } = translated.get(id) ?? {};
    return { id, title: subject ?? title, details: description ?? details ?? "" };
  });
}

const listedArticles = 100;

export async function listArticles(engine: Engine, by: Caller): Promise<PortalArticleEntry[]> {
  const { records } = await listRecords<PortalArticleEntry>(engine, by, "knowledge_article", {
    fields: ["subject", "service"],
    views: ["active"],
    sort: "subject",
    perPage: listedArticles,
  });
  return localizeArticles(engine, by, records);
}

const texts = ["subject", "description", "instructions", "attachments"];
const selectLocale = jsonStatement<{ locale: string }>(
  "SELECT locale FROM knowledge_articles WHERE id = $1 AND account_id = $2",
);
type Translation = { id: number; locale: string };
const selectTranslations = jsonStatement<Translation>(
  "SELECT id, locale FROM knowledge_article_translations WHERE knowledge_article_id = $1 AND account_id = $2 ORDER BY locale",
);

type OriginalArticle = Omit<PortalArticle, "locale" | "locales">;
type TranslatedTexts = Pick<PortalArticle, "subject" | "description" | "instructions" | "attachments">;

/** `wanted`: the language that was chosen; null: the one of the caller, if there is a translation, else the original */
export async function loadArticle(
  engine: Engine,
  by: Caller,
  id: number,
  wanted: string | null,
): Promise<PortalArticle> {
  const fields = [...texts, "service", "updated_at"];
  const article: OriginalArticle = JSON.parse(
    await find(engine, by, engine.types.get("knowledge_article"), id, fields),
  );
  const [own, translations] = await Promise.all([
    queryFirst(engine.database, selectLocale, [id, by.account]),
    queryRows(engine.database, selectTranslations, [id, by.account]),
  ]);
  const original = own?.locale ?? by.accountRecord.locale;
  const locales = [original, ...translations.map(({ locale }) => locale)];
  const chosen = pickTranslation(translations, original, wanted ?? by.language);
  if (chosen === undefined) return { ...article, locale: original, locales };
  const type = engine.types.get("knowledge_article_translation");
  const translated: TranslatedTexts = JSON.parse(await find(engine, by, type, chosen.id, texts));
  // A translation is a record of its own: its id and nodeID are not those of the article.
  return { ...article, ...translated, id, nodeID: article.nodeID, locale: chosen.locale, locales };
}

function pickTranslation(
  translations: readonly Translation[],
  original: string,
  wanted: string,
): Translation | undefined {
  const exact = translations.find(({ locale }) => locale === wanted);
  if (exact !== undefined || original === wanted || getLanguage(original) === getLanguage(wanted)) return exact;
  return translations.find(({ locale }) => getLanguage(locale) === getLanguage(wanted));
}

// A view is no change of the article: neither its revision nor its date moves.
const countView = statement(
  "UPDATE knowledge_articles SET times_viewed = coalesce(times_viewed, 0) + 1 WHERE id = $1 AND account_id = $2",
);

export async function countArticleView(engine: Engine, by: Caller, id: number): Promise<undefined> {
  const account = await requireRecord(engine, by, engine.types.get("knowledge_article"), id, "read");
  await engine.database.transaction(async (tx) => tx.send(countView, [id, account]));
}
