import type { Reference } from "../../queries/reference.ts";
import { type Article, type ArticleTranslation, audiences } from "./article.ts";

// What the page of an article holds while it is written: the article itself, or one of its translations.

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
} & Record<(typeof audiences)[number], boolean>;

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
  ...(Object.fromEntries(audiences.map((name) => [name, article === null || article[name] === true])) as Record<
    (typeof audiences)[number],
    boolean
  >),
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

/** A form that was kept as a draft; null where the text is none. */
export function parseDraft(text: string, base: ArticleForm): ArticleForm | null {
  try {
    const kept: unknown = JSON.parse(text);
    return typeof kept === "object" && kept !== null ? { ...base, ...kept } : null;
  } catch {
    return null;
  }
}
