import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { useRecord } from "../../queries/index.ts";
import type { Article, ArticleTranslation } from "./article.ts";
import { ArticleEditor } from "./article-editor.tsx";
import { ArticleReader } from "./article-reader.tsx";
import "../../styles/knowledge.css";

/** An article at its address: read, or written with `?write=<locale>`. */
export function ArticleScreen({ type, id }: { type: RecordType; id: string }) {
  return id === "new" || id === "" ? <NewArticle type={type} /> : <SavedArticle type={type} id={id} />;
}

/** `?from=48213`: what was learned from a request. */
function NewArticle({ type }: { type: RecordType }) {
  const { account, api } = useCurrentAccount();
  const { from } = useSearch({ strict: false }) as { from?: string };
  const own = useQuery({ queryKey: [account.id, "account"], queryFn: () => api.get("/account") });
  const request = useQuery({
    queryKey: [account.id, "article from", from],
    queryFn: () => api.get(`/requests/${encodeURIComponent(from ?? "")}`),
    enabled: from !== undefined,
    retry: false,
  });
  if (own.error !== null) return <ErrorMessage error={own.error} retry={() => void own.refetch()} />;
  if (own.data === undefined || request.isLoading) return <LoadingSkeleton rows={10} />;
  const subject = String(request.data?.subject ?? "");
  return (
    <ArticleEditor type={type} article={null} translations={[]} locale={String(own.data.locale)} subject={subject} />
  );
}

function SavedArticle({ type, id }: { type: RecordType; id: string }) {
  const { account, api, may } = useCurrentAccount();
  const { write } = useSearch({ strict: false }) as { write?: string };
  const record = useRecord(type, id);
  const path = `/knowledge_articles/${encodeURIComponent(id)}/translations`;
  const translations = useQuery({
    queryKey: [account.id, "list", path],
    queryFn: async () =>
      (
        await api.list<ArticleTranslation>(path, {
          fields: "locale,subject,description,instructions,updated_at",
          per_page: "100",
        })
      ).rows,
  });
  const failed = [record, translations].find(({ error }) => error !== null);
  if (failed?.error != null) return <ErrorMessage error={failed.error} retry={() => void failed.refetch()} />;
  if (record.data === undefined || translations.data === undefined) return <LoadingSkeleton rows={10} />;
  const article = record.data as Article;
  const props = { type, article, translations: translations.data };
  return write !== undefined && may("update", type) ? (
    <ArticleEditor {...props} key={`${id} ${write}`} locale={article.locale} subject="" />
  ) : (
    <ArticleReader {...props} />
  );
}
