import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { accountQueries } from "../../queries/account.ts";
import { useRecord } from "../../queries/index.ts";
import { knowledgeQueries } from "../../queries/knowledge.ts";
import type { Article } from "./article.ts";
import { ArticleEditor } from "./article-editor.tsx";
import { ArticleReader } from "./article-reader.tsx";
import "../../styles/knowledge.css";

/** The page of an article: read mode, or edit mode with `?write=<locale>`. */
export function ArticleScreen({ type, id }: { type: RecordType; id: string }) {
  return id === "new" || id === "" ? <NewArticle type={type} /> : <SavedArticle type={type} id={id} />;
}

/** `?from=48213`: a new article based on a request. */
function NewArticle({ type }: { type: RecordType }) {
  const { api } = useCurrentAccount();
  const { from }: { from?: string } = useSearch({ strict: false });
  const own = useQuery(accountQueries.account(api));
  const request = useQuery({ ...knowledgeQueries.origin(api, from ?? ""), enabled: from !== undefined });
  if (own.error !== null) return <ErrorMessage error={own.error} retry={() => void own.refetch()} />;
  if (own.data === undefined || request.isLoading) return <LoadingSkeleton rows={10} />;
  const subject = request.data?.subject ?? "";
  return (
    <ArticleEditor type={type} article={null} translations={[]} locale={String(own.data.locale)} subject={subject} />
  );
}

function SavedArticle({ type, id }: { type: RecordType; id: string }) {
  const { api, may } = useCurrentAccount();
  const { write }: { write?: string } = useSearch({ strict: false });
  const record = useRecord(type, id);
  const translations = useQuery(knowledgeQueries.translations(api, id));
  const failed = [record, translations].find(({ error }) => error !== null);
  if (failed?.error != null) return <ErrorMessage error={failed.error} retry={() => void failed.refetch()} />;
  if (record.data === undefined || translations.data === undefined) return <LoadingSkeleton rows={10} />;
  // `useRecord` loads records of all types; this page is for articles.
  const article = record.data as Article;
  const props = { type, article, translations: translations.data };
  return write !== undefined && may("update", type) ? (
    <ArticleEditor {...props} key={`${id} ${write}`} locale={article.locale} subject="" />
  ) : (
    <ArticleReader {...props} />
  );
}
