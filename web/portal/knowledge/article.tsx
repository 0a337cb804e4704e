import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { formatDate } from "../../formats.ts";
import { Icon } from "../../parts/icon.tsx";
import { useAddresses } from "../addresses.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Markup } from "../parts/markup.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

type Article = Row & {
  subject: string;
  description: string;
  instructions: string;
  service: { id: number; name: string; localized_name?: string } | null;
  updated_at: string;
  attachments?: readonly { key: string; name: string; uri: string; inline: boolean }[];
};

export function ArticlePage({ id }: { id: string }) {
  const { account, api } = useCurrentAccount();
  const at = useAddresses();
  const [helped, setHelped] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "article", id],
    queryFn: () => api.get<Article>(`/knowledge_articles/${encodeURIComponent(id)}`),
    staleTime: 60_000,
  });
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={8} />;
  // Thanks are shown at once; the mark itself may take its time, or fail without harm.
  const markUseful = () => {
    setHelped(true);
    api.act(`/knowledge_articles/${data.id}/useful`, {}).catch(() => {});
  };
  const inline = new Map((data.attachments ?? []).map(({ key, uri }) => [key, uri]));
  const image = (key: string) => inline.get(key) ?? null;
  const service = data.service?.localized_name ?? data.service?.name;
  return (
    <div className="article-page narrow">
      <Crumbs way={[{ label: t("nav.knowledge"), to: at.knowledge }]} here={data.subject} />
      <article className="panel article">
        <h1>{data.subject}</h1>
        <p className="quiet">
          {[service, t("knowledge.updated", { date: formatDate(data.updated_at) })].filter(Boolean).join(" · ")}
        </p>
        <div className="article-lead">
          <Markup text={data.description ?? ""} image={image} />
        </div>
        <h2>{t("knowledge.whatToDo")}</h2>
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
