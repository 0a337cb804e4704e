import { Button, Textarea } from "@mantine/core";
import IconThumbDown from "@tabler/icons-react/dist/esm/icons/IconThumbDown.mjs";
import IconThumbUp from "@tabler/icons-react/dist/esm/icons/IconThumbUp.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { articleFeedback } from "../../../records/answers/feedback.ts";
import { service as serviceType } from "../../../records/configuration/service.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request as requestType } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDate } from "../../base/formats.ts";
import { paths } from "../../base/paths.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { languageName, listLocales } from "../../languages/spoken-languages.ts";
import { useNow } from "../../parts/now.ts";
import { Timestamp } from "../../parts/timestamp.tsx";
import { knowledgeQueries } from "../../queries/knowledge.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { type Article, type ArticleTranslation, audiences, daysUntil } from "./article.ts";

type Props = { type: RecordType; article: Article; translations: readonly ArticleTranslation[] };

export function ArticleSide({ type, article, translations }: Props) {
  return (
    <aside className="article-side" aria-label={t("knowledge.about")}>
      <ArticleFeedback article={article} />
      <Facts article={article} />
      <Translations type={type} article={article} translations={translations} />
      <RecentlySolved article={article} />
    </aside>
  );
}

/** Feedback: the article helped, or is outdated and why. The article's editors read the note. */
function ArticleFeedback({ article }: { article: Article }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const draft = useDraft(`knowledge_article/${article.id}/feedback`);
  const [opened, setOpened] = useState<boolean | null>(null);
  const isOpen = opened ?? !draft.isEmpty;
  const options = knowledgeQueries.feedback(api, article.id);
  const { data } = useQuery(options);
  const marking = useMutation({
    mutationFn: async ({ mark, text }: { mark: "useful" | "outdated"; text?: string }) => {
      const body = text === undefined ? {} : { note: text };
      await api.call(`POST /knowledge_articles/:id/${mark}`, { id: article.id }, body);
    },
    onSuccess: async (_done, { mark }) => {
      if (mark === "outdated") draft.remove();
      setOpened(false);
      showMessage(t(mark === "useful" ? "knowledge.thanks" : "knowledge.authorTold"));
      await queries.invalidateQueries({ queryKey: options.queryKey });
    },
    onError: showError,
  });
  const mine = data?.mine ?? null;
  return (
    <section>
      <h2>{t("knowledge.wasItRight")}</h2>
      <div className="mark-buttons">
        <Button
          variant={mine === "useful" ? "light" : "default"}
          aria-pressed={mine === "useful"}
          leftSection={<Icon of={IconThumbUp} />}
          onClick={() => marking.mutate({ mark: "useful" })}
        >
          {t("knowledge.helped")} {(data?.useful ?? 0) > 0 && data?.useful}
        </Button>
        <Button
          variant={mine === "outdated" ? "light" : "default"}
          aria-pressed={mine === "outdated"}
          aria-expanded={isOpen}
          leftSection={<Icon of={IconThumbDown} />}
          onClick={() => setOpened(!isOpen)}
        >
          {t("knowledge.outOfDate")} {(data?.outdated ?? 0) > 0 && data?.outdated}
        </Button>
      </div>
      {isOpen && (
        <form
          className="mark-note"
          onSubmit={(event) => {
            event.preventDefault();
            marking.mutate({ mark: "outdated", text: draft.text });
          }}
        >
          <Textarea
            label={t("knowledge.whatIsWrong")}
            autosize
            minRows={2}
            maxLength={2000}
            data-autofocus
            value={draft.text}
            onChange={(event) => draft.setText(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" loading={marking.isPending}>
            {t("knowledge.tellAuthor")}
          </Button>
        </form>
      )}
      {data !== undefined && data.comments.length > 0 && <Comments comments={data.comments} />}
    </section>
  );
}

type Comment = AnswerOf<typeof articleFeedback>["comments"][number];

const Comments = ({ comments }: { comments: readonly Comment[] }) => (
  <ul className="mark-comments">
    {comments.map(({ person, note: text, mark, created_at }) => (
      <li key={person.id}>
        <span className="quiet small">
          {person.name} · {t(mark === "useful" ? "knowledge.helped" : "knowledge.outOfDate")} ·{" "}
          <Timestamp at={created_at} />
        </span>
        <p>{text}</p>
      </li>
    ))}
  </ul>
);

function Facts({ article }: { article: Article }) {
  const { account } = useCurrentAccount();
  const now = useNow();
  const fact = (label: string, value: ReactNode) => (
    <div className="article-fact">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
  const readers = audiences.filter((name) => article[name] === true).map((name) => t(`knowledge.for.${name}`));
  const days = article.review_date === null ? null : daysUntil(article.review_date, now);
  const { service } = article;
  return (
    <dl className="article-facts">
      {service !== null &&
        fact(
          fieldLabel("service"),
          <Link to={paths.record(account.id, serviceType, service.id)}>{getReferenceName(service)}</Link>,
        )}
      {fact(t("knowledge.for"), readers.join(", ") || t("knowledge.forNobody"))}
      {article.keywords !== null && article.keywords !== "" && fact(fieldLabel("keywords"), article.keywords)}
      {fact(
        t("knowledge.review"),
        days === null ? (
          t("knowledge.never")
        ) : (
          <Chip tone={days < 0 ? "red" : days <= 30 ? "yellow" : "grey"} title={formatDate(article.review_date ?? "")}>
            {days < 0 ? t("knowledge.reviewDue") : t("knowledge.inDays", { count: days })}
          </Chip>
        ),
      )}
      {fact(
        t("knowledge.archiveOn"),
        article.archive_date === null ? t("knowledge.never") : formatDate(article.archive_date),
      )}
    </dl>
  );
}

function Translations({ type, article, translations }: Props) {
  const { account, may } = useCurrentAccount();
  const mayWrite = may("update", type);
  const [, ...others] = listLocales(
    article.locale,
    translations.map(({ locale }) => locale),
  );
  const stateOf = (locale: string): [tone: string, text: string] => {
    const found = translations.find((each) => each.locale === locale);
    if (found === undefined) return ["grey", t("knowledge.missing")];
    const isOlder = Date.parse(found.updated_at) < Date.parse(article.updated_at);
    return isOlder ? ["orange", t("knowledge.older")] : ["green", t("broadcasts.upToDate")];
  };
  return (
    <section>
      <h2>{t("knowledge.translations")}</h2>
      <ul className="article-translations">
        {others.map((locale) => {
          const [tone, state] = stateOf(locale);
          const name = languageName(locale);
          return (
            <li key={locale}>
              {mayWrite ? (
                <Link
                  to={`${paths.record(account.id, type, article.id)}?write=${locale}`}
                  aria-label={t("knowledge.writeIn", { language: name })}
                >
                  {name}
                </Link>
              ) : (
                <span>{name}</span>
              )}
              <span className="message-state" data-tone={tone}>
                {state}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function RecentlySolved({ article }: { article: Article }) {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery(knowledgeQueries.solved(api, article.id));
  if (data === undefined || data.length === 0) return null;
  return (
    <section>
      <h2>{t("knowledge.solvedLately")}</h2>
      <ul className="article-solved">
        {data.map((row) => (
          <li key={row.id}>
            <Link to={paths.record(account.id, requestType, row.id)} className="numbers">
              {row.id}
            </Link>
            <span className="truncate">{row.subject}</span>
            <span className="quiet">
              <Timestamp at={row.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
