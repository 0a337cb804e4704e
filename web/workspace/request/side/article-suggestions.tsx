import { Button } from "@mantine/core";
import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { knowledgeArticle } from "../../../../records/work/knowledge-article.ts";
import { loadSuggestions, type Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { t } from "../../../languages/index.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Link } from "../../../parts/link.tsx";
import { showError, showMessage } from "../../../parts/toast.tsx";
import { paths } from "../../../paths.ts";
import { isClosed, referenceOf, textOf } from "../page-parts.ts";

/** Articles that may answer a request, beside the composer; and the way to write down what was learned. */
export function ArticleSuggestions({ row, locked }: { row: Row; locked: boolean }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const subject = textOf(row, "subject");
  const linked = referenceOf(row, "knowledge_article");
  const { data } = useQuery({
    queryKey: [account.id, "suggestions", subject],
    queryFn: () => loadSuggestions(account.id, subject, null),
    enabled: linked === null && subject !== "",
    staleTime: 300_000,
  });
  const articles = linked === null ? (data?.articles ?? []).slice(0, 3) : [];
  const writes = linked === null && isClosed(textOf(row, "status")) && may("create", knowledgeArticle);
  if (articles.length === 0 && !writes) return null;
  const link = async (article: Row) => {
    try {
      await api.change(`/requests/${row.id}`, { knowledge_article_id: article.id });
      showMessage(t("knowledge.linked", { id: String(row.id) }));
      await queries.invalidateQueries({ queryKey: [account.id, "record", "request", String(row.id)] });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <section className="article-suggestions" aria-labelledby="article-suggestions">
      <h3 id="article-suggestions">
        <Icon of={IconBook} /> {t("newRequest.answers")}
      </h3>
      {articles.map((article) => (
        <div className="suggestion" key={article.id}>
          <Link to={`${paths.record(account.id, knowledgeArticle, article.id)}?request=${row.id}`}>
            {textOf(article, "subject")}
          </Link>
          {!locked && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon of={IconLink} />}
              aria-label={t("knowledge.linkArticle", { subject: textOf(article, "subject") })}
              onClick={() => void link(article)}
            >
              {t("newRequest.linkArticle")}
            </Button>
          )}
        </div>
      ))}
      {writes && (
        <Link to={`${paths.create(account.id, knowledgeArticle)}?from=${row.id}`}>{t("knowledge.writeFrom")}</Link>
      )}
    </section>
  );
}
