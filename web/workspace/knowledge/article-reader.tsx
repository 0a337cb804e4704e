import IconEdit from "@tabler/icons-react/dist/esm/icons/IconEdit.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActionContext } from "../../actions/context.ts";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { currentLanguage, t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel } from "../../languages/labels.ts";
import { languageName } from "../../languages/spoken-languages.ts";
import { Markup } from "../../parts/markup/markup.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PersonName } from "../../parts/people/person-name.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { knowledgeQueries } from "../../queries/knowledge.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { type Article, type ArticleTranslation, statusTones } from "./article.ts";
import { ArticleSide } from "./article-side.tsx";
import { StaffBlock } from "./staff-block.tsx";

type Props = { type: RecordType; article: Article; translations: readonly ArticleTranslation[] };

/** Contents on the left, the article in the middle, its metadata on the right. */
export function ArticleReader({ type, article, translations }: Props) {
  const { account, api, may } = useCurrentAccount();
  const { request }: { request?: string } = useSearch({ strict: false });
  const own = translations.find(({ locale }) => locale.split("-")[0] === currentLanguage());
  const isOwn = article.locale.split("-")[0] === currentLanguage();
  const [locale, setLocale] = useState(isOwn || own === undefined ? article.locale : own.locale);
  const text = translations.find((each) => each.locale === locale) ?? article;
  const content = useRef<HTMLElement>(null);
  const inline = new Map((article.attachments ?? []).map(({ key, uri }) => [key, uri]));
  const image = (key: string) => inline.get(key) ?? null;
  const at = paths.record(account.id, type, article.id);
  const edit = {
    id: "article.edit",
    name: t("record.edit"),
    group: "record" as const,
    keys: "e",
    icon: IconEdit,
    when: may("update", type),
    run: () => navigateTo(`${at}?write=${locale}`),
  };
  const link = {
    id: "article.link",
    name: t("knowledge.linkTo", { id: request ?? "" }),
    group: "record" as const,
    icon: IconLink,
    when: request !== undefined,
    run: async () => {
      try {
        await api.change(`/requests/${encodeURIComponent(request ?? "")}`, { knowledge_article_id: article.id });
        showMessage(t("knowledge.linked", { id: request ?? "" }));
      } catch (error) {
        showError(error);
      }
    },
  };
  useActions([edit, link]);
  useActionContext(article.subject);
  const service = article.service;
  return (
    <div className="page">
      <PageBar
        title={String(article.id)}
        windowTitle={text.subject}
        heading={false}
        trail={[
          { label: collectionLabel(type), path: paths.list(account.id, type) },
          ...(service === null
            ? []
            : [{ label: getReferenceName(service), path: `${paths.list(account.id, type)}?service=${service.id}` }]),
        ]}
        actions={
          <>
            {translations.length > 0 && (
              <Select
                size="xs"
                w={130}
                aria-label={t("knowledge.language")}
                data={[article.locale, ...translations.map((each) => each.locale)].map((each) => ({
                  value: each,
                  label: languageName(each),
                }))}
                value={locale}
                allowDeselect={false}
                onChange={(each) => each !== null && setLocale(each)}
              />
            )}
            <ActionButton action={link} />
            <ActionButton action={edit} />
          </>
        }
      >
        <Chip tone={statusTones[article.status] ?? "grey"}>
          {choiceLabel("knowledge_article.status", article.status)}
        </Chip>
      </PageBar>
      <div className="page-body article-body">
        <nav className="article-contents" aria-label={t("knowledge.contents")}>
          <Contents key={`${locale} ${text.updated_at}`} content={content} />
          {service !== null && <NearIt type={type} service={service.id} except={article.id} />}
        </nav>
        <article className="article" ref={content} lang={locale}>
          <h1>{text.subject}</h1>
          <p className="article-meta quiet">
            <PersonName person={article.updated_by} you={false} />
            <span>
              {t("knowledge.changed")} <Timestamp at={text.updated_at} />
            </span>
            {article.times_viewed > 0 && <span>{t("knowledge.read", { count: article.times_viewed })}</span>}
            {article.times_applied > 0 && <span>{t("knowledge.solved", { count: article.times_applied })}</span>}
          </p>
          <h2>{t("knowledge.whenHelps")}</h2>
          <Markup text={text.description ?? ""} image={image} />
          <h2>{t("knowledge.whatToDo")}</h2>
          <Markup text={text.instructions ?? ""} image={image} />
          <StaffBlock text={article.staff_instructions} heading="h2" image={image} />
        </article>
        <ArticleSide type={type} article={article} translations={translations} />
      </div>
    </div>
  );
}

/** The headings of the text at mount: another text needs another key. */
function Contents({ content }: { content: React.RefObject<HTMLElement | null> }) {
  const [headings, setHeadings] = useState<readonly HTMLElement[]>([]);
  useEffect(() => {
    setHeadings([...(content.current?.querySelectorAll<HTMLElement>("h2, h3") ?? [])]);
  }, [content]);
  return (
    <>
      <b>{t("knowledge.contents")}</b>
      <ul className="article-outline">
        {headings.map((heading, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings are identified only by their position
          <li key={at} data-level={heading.tagName.slice(1)}>
            <button type="button" onClick={() => heading.scrollIntoView({ block: "start" })}>
              {heading.textContent}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function NearIt({ type, service, except }: { type: RecordType; service: number | string; except: number }) {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery(knowledgeQueries.near(api, service));
  const rows = (data ?? []).filter(({ id }) => id !== except).slice(0, 5);
  if (rows.length === 0) return null;
  return (
    <>
      <b>{t("knowledge.near")}</b>
      <ul className="article-near">
        {rows.map(({ id, subject }) => (
          <li key={id}>
            <Link to={paths.record(account.id, type, id)}>{subject}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
