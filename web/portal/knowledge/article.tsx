import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { recordsApi } from "../../api/index.ts";
import { formatDate } from "../../base/formats.ts";
import { Icon } from "../../elements/icon.tsx";
import { languageName } from "../../languages/spoken-languages.ts";
import { portalArticleQueries } from "../../queries/portal/articles.ts";
import { useAddresses } from "../addresses.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Markup } from "../parts/markup.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

/** An article in the person's language if it is translated; other languages can be chosen. */
export function ArticlePage({ id }: { id: string }) {
  const { account, api } = useCurrentAccount();
  const at = useAddresses();
  const [helped, setHelped] = useState(false);
  const [locale, setLocale] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(portalArticleQueries.one(api, id, locale));
  const isShown = data !== undefined;
  // Each opening of the page counts one view. A failed count has no effect on the reader.
  useEffect(() => {
    if (isShown)
      recordsApi(account.id)
        .call("POST /portal/articles/:id/views", { id })
        .catch(() => {});
  }, [account.id, id, isShown]);
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={8} />;
  // Thanks are shown immediately; the call itself may be slow, or fail without harm.
  const markUseful = () => {
    setHelped(true);
    api.call("POST /knowledge_articles/:id/useful", { id: data.id }, {}).catch(() => {});
  };
  const inline = new Map((data.attachments ?? []).map(({ key, uri }) => [key, uri]));
  const image = (key: string) => inline.get(key) ?? null;
  const service = data.service?.localized_name ?? data.service?.name;
  return (
    <div className="article-page narrow">
      <Crumbs way={[{ label: t("nav.knowledge"), to: at.knowledge }]} here={data.subject} />
      <article className="panel article" lang={data.locale}>
        <h1>{data.subject}</h1>
        <div className="article-meta quiet">
          <span>
            {[service, t("knowledge.updated", { date: formatDate(data.updated_at) })].filter(Boolean).join(" · ")}
          </span>
          {data.locales.length > 1 && (
            <select
              className="input article-language"
              aria-label={t("knowledge.language")}
              value={data.locale}
              onChange={(event) => setLocale(event.currentTarget.value)}
            >
              {data.locales.map((each) => (
                <option key={each} value={each} lang={each}>
                  {languageName(each)}
                </option>
              ))}
            </select>
          )}
        </div>
        <div className="article-lead">
          <Markup text={data.description ?? ""} image={image} />
        </div>
        <h2 lang={document.documentElement.lang}>{t("knowledge.whatToDo")}</h2>
        <Markup text={data.instructions ?? ""} image={image} />
      </article>
      <section className="panel none-helps">
        {helped ? (
          <p role="status">{t("form.gladItHelped")}</p>
        ) : (
          <>
            <p>
              <b>{t("rate.question")}</b>
            </p>
            <button type="button" className="button" onClick={markUseful}>
              <Icon of={IconCheck} size={18} /> {t("form.solvedIt")}
            </button>
            <Link className="button" to={at.newRequest(data.subject)}>
              {t("knowledge.ask")}
            </Link>
          </>
        )}
      </section>
    </div>
  );
}
