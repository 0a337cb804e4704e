import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { type KnowledgeEntry, knowledgeQueries } from "../../queries/knowledge.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { HighlightedText } from "../search/highlighted-text.tsx";
import { statusTones } from "./article.ts";
import "../../styles/knowledge.css";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";

const shortest = 2; // letters

/** Search; without a text, the most used articles, those that wait for an editor, and all by service. */
export function KnowledgeListScreen({ type }: { type: RecordType }) {
  const { account, may } = useCurrentAccount();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), 150);
  return (
    <div className="page">
      <PageBar
        title={collectionLabel(type)}
        actions={
          <>
            <Button variant="default" {...linkTo(`${paths.list(account.id, type)}?view=all`)}>
              {t("lists.asTable")}
            </Button>
            {may("create", type) && (
              <Button leftSection={<Icon of={IconPlus} />} {...linkTo(paths.create(account.id, type))}>
                {t("knowledge.new")}
              </Button>
            )}
          </>
        }
      />
      <div className="page-body knowledge-find">
        <TextInput
          type="search"
          size="md"
          aria-label={t("knowledge.search")}
          placeholder={t("knowledge.search")}
          leftSection={<Icon of={IconSearch} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {text.length >= shortest ? <Results type={type} text={text} /> : <Overview type={type} />}
      </div>
    </div>
  );
}

function Results({ type, text }: { type: RecordType; text: string }) {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(knowledgeQueries.search(api, text));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  if (data.rows.length === 0) return <EmptyState title={t("search.none", { text })} icon={IconBook} />;
  return (
    <ol className="article-results">
      {data.rows.map(({ id, highlights }) => (
        <li key={id}>
          <Link to={paths.record(account.id, type, id)} fw={600}>
            <HighlightedText html={highlights.title} />
          </Link>
          {highlights.details !== undefined && (
            <p className="quiet">
              <HighlightedText html={highlights.details} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The newest hundred: enough to see which are used, and to list those of a service. */
function Overview({ type }: { type: RecordType }) {
  const { api } = useCurrentAccount();
  const active = useQuery(knowledgeQueries.articles(api, "active"));
  const isWaiting = { status: "not_validated,work_in_progress", per_page: "10" };
  const waiting = useQuery(knowledgeQueries.articles(api, "active", isWaiting));
  const outdated = useQuery(knowledgeQueries.articles(api, "outdated", { per_page: "10" }));
  if (active.error !== null) return <ErrorPanel error={active.error} retry={() => void active.refetch()} />;
  if (active.data === undefined) return <SkeletonRows rows={10} />;
  if (active.data.length === 0)
    return <EmptyState title={t("knowledge.none")} lead={t("knowledge.noneLead")} icon={IconBook} />;
  const use = (row: KnowledgeEntry) => 10 * row.times_applied + row.times_viewed;
  const used = active.data
    .filter((row) => use(row) > 0)
    .sort((one, other) => use(other) - use(one))
    .slice(0, 8);
  const groups = Map.groupBy(active.data, ({ service }) => getReferenceName(service));
  return (
    <>
      <div className="knowledge-columns">
        <Section title={t("knowledge.mostUsed")} rows={used} type={type} counts />
        <Section title={t("knowledge.waiting")} rows={waiting.data ?? []} type={type} />
        <Section title={t("knowledge.outdatedOnes")} rows={outdated.data ?? []} type={type} />
      </div>
      <h2 className="knowledge-heading">{t("knowledge.byService")}</h2>
      <div className="knowledge-columns">
        {[...groups]
          .sort(([one], [other]) => one.localeCompare(other))
          .map(([name, rows]) => (
            <Section key={name} title={name} rows={rows} type={type} level={3} />
          ))}
      </div>
    </>
  );
}

type SectionProps = {
  title: string;
  rows: readonly KnowledgeEntry[];
  type: RecordType;
  counts?: boolean;
  level?: 2 | 3;
};

function Section({ title, rows, type, counts = false, level = 2 }: SectionProps) {
  const { account } = useCurrentAccount();
  const Heading = `h${level}` as const;
  if (rows.length === 0) return null;
  return (
    <section className="knowledge-section">
      <Heading>{title}</Heading>
      <ul>
        {rows.map((row) => (
          <RowBoundary key={row.id} row={row}>
            {() => (
              <li>
                <Link to={paths.record(account.id, type, row.id)}>{row.subject}</Link>
                {counts && row.times_applied > 0 && (
                  <span className="quiet small">{t("knowledge.solved", { count: row.times_applied })}</span>
                )}
                {row.status !== null && row.status !== "validated" && (
                  <Chip tone={statusTones[row.status] ?? "grey"}>
                    {choiceLabel("knowledge_article.status", row.status)}
                  </Chip>
                )}
              </li>
            )}
          </RowBoundary>
        ))}
      </ul>
    </section>
  );
}
