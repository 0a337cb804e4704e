import { ActionIcon } from "@mantine/core";
import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { knowledgeArticle } from "../../../../records/work/knowledge-article.ts";
import { loadSuggestions, type Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { t } from "../../../languages/index.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Link } from "../../../parts/link.tsx";
import { tip } from "../../../parts/tip.tsx";
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
    <section className="side-section" aria-label={t("newRequest.answers")}>
      {articles.length > 0 && (
        <div className="linked-head">
          <h2>{t("newRequest.answers")}</h2>
        </div>
      )}
      {articles.map((article) => (
        <div className="linked-row" key={article.id}>
          <Icon of={IconBook} />
          <Link to={`${paths.record(account.id, knowledgeArticle, article.id)}?request=${row.id}`} className="truncate">
            {textOf(article, "subject")}
          </Link>
          {!locked && (
            <ActionIcon
              variant="subtle"
              size="sm"
              c="var(--text-2)"
              className="linked-end"
              aria-label={t("knowledge.linkArticle", { subject: textOf(article, "subject") })}
              {...tip(t("newRequest.linkArticle"))}
              onClick={() => void link(article)}
            >
              <Icon of={IconLink} size={14} />
            </ActionIcon>
          )}
        </div>
      ))}
      {writes && (
        <div className="linked-row">
          <Icon of={IconPencil} />
          <Link to={`${paths.create(account.id, knowledgeArticle)}?from=${row.id}`}>{t("knowledge.writeFrom")}</Link>
        </div>
      )}
    </section>
  );
}
