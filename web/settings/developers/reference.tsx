import { Anchor, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { developerQueries } from "../../queries/settings/developers.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { findOperation, listOperations, type Operation, parseDocument } from "./api-document.ts";
import { listApiTabs } from "./api-tabs.ts";
import { findHeldBody } from "./call-to-try.ts";
import { TryCall } from "./try-call.tsx";
import "../../styles/settings/developers.css";

const mostShown = 150;

/** Every operation of the API, with a form that calls it as the signed-in person. */
export function ReferenceScreen() {
  const { account } = useCurrentAccount();
  const [{ operation, method, path }, setSearch] = useAddressSearch("operation", "method", "path");
  const [words, setWords] = useState("");
  const { data, error, refetch } = useQuery({ ...developerQueries.document(), select: parseDocument });
  const operations = useMemo(() => (data === undefined ? [] : listOperations(data)), [data]);
  const wanted = words.toLowerCase().split(/\s+/);
  const found = operations.filter(({ searchable }) => wanted.every((word) => searchable.includes(word)));
  // A logged call opens its operation, with its values.
  const called = method === undefined || path === undefined ? null : { method, path, body: findHeldBody(method, path) };
  const shown =
    called === null
      ? operations.find(({ id }) => id === operation)
      : findOperation(operations, called.method, called.path);
  const open = (id: string) => setSearch({ operation: id, method: "", path: "" }, { adds: true });
  return (
    <div className="page">
      <PageBar
        title={t("apiPages.title")}
        actions={
          <Anchor href="/docs/api" size="sm">
            {t("apiPages.wholeReference")}
          </Anchor>
        }
      >
        <PageTabs label={t("apiPages.title")} tabs={listApiTabs(account.id)} active="reference" />
      </PageBar>
      <div className="log-columns">
        <nav className="reference-list" aria-label={t("apiPages.operations")}>
          <TextInput
            aria-label={t("apiPages.search")}
            placeholder={t("apiPages.search")}
            size="sm"
            m="sm"
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
          {error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
          {data === undefined && error === null && <SkeletonRows rows={10} />}
          {data !== undefined && found.length === 0 && <EmptyState title={t("apiPages.nothingFound")} />}
          <OperationList operations={found.slice(0, mostShown)} chosen={shown?.id} onChoose={open} />
          {found.length > mostShown && (
            <p className="log-note">{t("apiPages.more", { count: found.length - mostShown })}</p>
          )}
        </nav>
        <div className="log-list">
          {shown === undefined || data === undefined ? (
            <EmptyState title={t("apiPages.choose")} lead={t("apiPages.chooseLead")} />
          ) : (
            <TryCall key={`${shown.id} ${path ?? ""}`} operation={shown} called={called} />
          )}
        </div>
      </div>
    </div>
  );
}

type ListProps = { operations: readonly Operation[]; chosen: string | undefined; onChoose(id: string): void };

const OperationList = ({ operations, chosen, onChoose }: ListProps) =>
  [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, group]) => (
    <section key={tag}>
      <h2>{tag}</h2>
      <ul>
        {group.map(({ id, method, path, summary }) => (
          <li key={id}>
            <button type="button" aria-current={id === chosen ? "true" : undefined} onClick={() => onChoose(id)}>
              <span className="log-method" data-method={method}>
                {method}
              </span>{" "}
              {summary}
              <code>{path}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
