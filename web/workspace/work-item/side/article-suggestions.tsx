import { ActionIcon } from "@mantine/core";
import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { knowledgeArticle } from "../../../../records/work/knowledge-article.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Link } from "../../../elements/link.tsx";
import { tip } from "../../../elements/tip.tsx";
import { showError, showMessage } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { recordQueries } from "../../../queries/records.ts";
import { requestQueries } from "../../../queries/work/requests.ts";
import { getReference, isClosed, readText } from "../page-parts.ts";

/** Articles that may answer a request, beside the composer; and a link to write a new one from it. */
export function ArticleSuggestions({ row, locked }: { row: Row; locked: boolean }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const subject = readText(row, "subject");
  const linked = getReference(row, "knowledge_article");
  const { data } = useQuery({
    ...requestQueries.suggestions(api, subject),
    enabled: linked === null && subject !== "",
  });
  const articles = linked === null ? (data?.articles ?? []).slice(0, 3) : [];
  const writes = linked === null && isClosed(readText(row, "status")) && may("create", knowledgeArticle);
  if (articles.length === 0 && !writes) return null;
  const link = async (article: Row) => {
    try {
      await api.change(`/requests/${row.id}`, { knowledge_article_id: article.id });
      showMessage(t("knowledge.linked", { id: String(row.id) }));
      await queries.invalidateQueries({ queryKey: recordQueries.all(api, "request", row.id) });
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
            {readText(article, "subject")}
          </Link>
          {!locked && (
            <ActionIcon
              variant="subtle"
              size="sm"
              c="var(--text-2)"
              className="linked-end"
              aria-label={t("knowledge.linkArticle", { subject: readText(article, "subject") })}
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
