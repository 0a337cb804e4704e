import IconBook2 from "@tabler/icons-react/dist/esm/icons/IconBook2.mjs";
import IconForms from "@tabler/icons-react/dist/esm/icons/IconForms.mjs";
import { useQuery } from "@tanstack/react-query";
import type { FoundArticle } from "../../../records/answers/portal-articles.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { portalArticleQueries } from "../../queries/portal/articles.ts";
import { useAddresses } from "../addresses.ts";
import { SearchBox, useFindings } from "../home/search-box.tsx";
import { useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { RequestRows } from "../requests/request-rows.tsx";
import { Link, useAddress } from "../router.tsx";
import { t } from "../words.ts";

/**
 * Articles that match a text, else by service. `everything`: the page of search results, with forms and own requests.
 */
export function KnowledgePage({ everything }: { everything: boolean }) {
  const address = useAddress();
  const text = new URLSearchParams(address.split("?")[1] ?? "").get("q") ?? "";
  const title = everything ? t("search.results") : t("nav.knowledge");
  useTitle(title);
  return (
    <div className="knowledge">
      <h1>{title}</h1>
      <SearchBox key={text} initial={text} />
      {text === "" ? <AllArticles /> : <Results text={text} />}
    </div>
  );
}

function Results({ text }: { text: string }) {
  const { api } = useCurrentAccount();
  const at = useAddresses();
  const hits = useQuery(portalArticleQueries.search(api, text));
  const { data: found } = useFindings(text);
  const articles: readonly FoundArticle[] =
    hits.data !== undefined && hits.data.length > 0
      ? hits.data
      : (found?.articles ?? []).map(({ id, subject, description }) => ({
          id,
          title: subject,
          details: description,
        }));
  const words = text.split(/\s+/).filter((word) => word.length > 2);
  return (
    <>
      {hits.isLoading && <Loading />}
      {articles.length > 0 && (
        <section aria-labelledby="found-articles">
          <h2 id="found-articles" className="section-title">
            {t("search.articles")}
          </h2>
          <ul className="rows panel">
            {articles.map(({ id, title, details }) => (
              <li key={id}>
                <Link className="row" to={at.article(id)}>
                  <span className="tile-icon" data-tone="teal">
                    <Icon of={IconBook2} size={20} />
                  </span>
                  <span className="row-text">
                    <span className="row-title">
                      <Marked text={title} words={words} />
                    </span>
                    <span className="row-state quiet">
                      <Marked text={details.slice(0, 180)} words={words} />
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(found?.templates.length ?? 0) > 0 && (
        <section aria-labelledby="found-forms">
          <h2 id="found-forms" className="section-title">
            {t("search.forms")}
          </h2>
          <ul className="rows panel">
            {found?.templates.map((template) => (
              <li key={template.id}>
                <Link className="row" to={at.form(template.id, text)}>
                  <span className="tile-icon" data-tone="blue">
                    <Icon of={IconForms} size={20} />
                  </span>
                  <span className="row-text">
                    <span className="row-title">{String(template.subject)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(found?.similar.length ?? 0) > 0 && (
        <section aria-labelledby="found-requests">
          <h2 id="found-requests" className="section-title">
            {t("search.requests")}
          </h2>
          <RequestRows requests={found?.similar ?? []} />
        </section>
      )}
      <section className="panel none-helps">
        <p>
          <b>{t("search.noneHelps")}</b>
        </p>
        <Link className="button primary" to={at.newRequest(text)}>
          {t("search.ask")}
        </Link>
      </section>
    </>
  );
}

/** Highlights the searched words in the text. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
  return text.split(pattern).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}

function AllArticles() {
  const { api } = useCurrentAccount();
  const at = useAddresses();
  const { data, error, refetch } = useQuery(portalArticleQueries.all(api));
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0) return <p className="quiet">{t("knowledge.none")}</p>;
  const groups = Map.groupBy(data, ({ service }) => service?.localized_name ?? service?.name ?? "");
  return (
    <div className="catalogue-groups">
      {[...groups]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([name, articles]) => (
          <section key={name} className="panel catalogue-group">
            <h2>{name}</h2>
            <ul>
              {articles.map(({ id, subject }) => (
                <li key={id}>
                  <Link className="catalogue-link" to={at.article(id)}>
                    {subject}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
