import type { Reference } from "../../queries/reference.ts";
import type { Article, ArticleTranslation, Audience } from "./article.ts";

// The values of an article being edited: the article itself, or one of its translations.

export type ArticleForm = {
  subject: string;
  description: string;
  instructions: string;
  staff_instructions: string;
  status: string;
  service: Reference | null;
  template: Reference | null;
  keywords: string;
  review_date: string;
  archive_date: string;
} & Record<Audience, boolean>;

/** A new article is for everyone. */
const isFor = (article: Article | null, audience: Audience): boolean => article === null || article[audience] === true;

export const buildForm = (article: Article | null, subject: string): ArticleForm => ({
  subject: article?.subject ?? subject,
  description: article?.description ?? "",
  instructions: article?.instructions ?? "",
  staff_instructions: article?.staff_instructions ?? "",
  status: article?.status ?? "not_validated",
  service: article?.service ?? null,
  template: article?.template ?? null,
  keywords: article?.keywords ?? "",
  review_date: article?.review_date ?? "",
  archive_date: article?.archive_date ?? "",
  end_users: isFor(article, "end_users"),
  key_contacts: isFor(article, "key_contacts"),
  covered_specialists: isFor(article, "covered_specialists"),
  internal_specialists: isFor(article, "internal_specialists"),
});

export const buildTranslationForm = (found: ArticleTranslation | undefined): ArticleForm => ({
  ...buildForm(null, found?.subject ?? ""),
  description: found?.description ?? "",
  instructions: found?.instructions ?? "",
});

const orNull = (text: string): string | null => (text === "" ? null : text);

export const buildBody = ({ service, template, keywords, review_date, archive_date, ...rest }: ArticleForm) => ({
  ...rest,
  staff_instructions: orNull(rest.staff_instructions),
  service_id: service?.id ?? null,
  template_id: template?.id ?? null,
  keywords: orNull(keywords),
  review_date: orNull(review_date),
  archive_date: orNull(archive_date),
});

export const buildTranslationBody = ({ subject, description, instructions }: ArticleForm, locale: string) => ({
  locale,
  subject,
  description,
  instructions,
});

/** Parses a form stored as a draft; null if the text isn't valid. */
export function parseDraft(text: string, base: ArticleForm): ArticleForm | null {
  try {
    const kept: unknown = JSON.parse(text);
    return typeof kept === "object" && kept !== null ? { ...base, ...kept } : null;
  } catch {
    return null;
  }
}
