import { Button } from "@mantine/core";
import IconDatabaseImport from "@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { ImportEntry } from "../../api/exchange.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { ExportsSection } from "./exports-section.tsx";
import { exchangeTypeLabel, isRunning } from "./labels.ts";
import "../../styles/areas/exchange.css";

/** The imports and exports of the last 30 days. */
export function ExchangeScreen() {
  const { account } = useCurrentAccount();
  const begin = paths.newImport(account.id);
  useActions([{ id: "exchange.new", name: t("exchange.new"), group: "settings", run: () => navigateTo(begin) }]);
  return (
    <div className="page">
      <PageBar
        title={t("exchange.title")}
        trail={[{ label: t("menu.settings"), path: paths.settings(account.id) }]}
        actions={
          <Button leftSection={<Icon of={IconDatabaseImport} />} {...linkTo(begin)}>
            {t("exchange.new")}
          </Button>
        }
      />
      <div className="page-body exchange">
        <ImportsSection />
        <ExportsSection />
      </div>
    </div>
  );
}

function ImportsSection() {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...exchangeQueries.imports(api),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some((row) => isRunning(row) || isUndoing(row))) ? 1000 : false,
  });
  const imports = data?.pages.flatMap(({ rows }) => rows);
  return (
    <section aria-label={t("exchange.imports")}>
      <h2 className="settings-title">{t("exchange.imports")}</h2>
      <div className="card">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : imports === undefined ? (
          <LoadingSkeleton />
        ) : imports.length === 0 ? (
          <EmptyState title={t("exchange.noImports")} lead={t("exchange.noImportsLead")}>
            <Button variant="default" {...linkTo(paths.newImport(account.id))}>
              {t("exchange.new")}
            </Button>
          </EmptyState>
        ) : (
          <SimpleTable
            label={t("exchange.imports")}
            rows={imports}
            keyOf={({ token }) => token}
            columns={[
              {
                label: t("exchange.file"),
                cell: (row) => (
                  <>
                    <Link to={settingsPaths.import(account.id, row.token)}>
                      {t("exchange.fromFile", { type: exchangeTypeLabel(row.type), file: row.file_name ?? "" })}
                    </Link>{" "}
                    {/* The audit trail identifies the import by it. */}
                    <span className="quiet numbers">{row.token.slice(0, 6)}</span>
                  </>
                ),
              },
              { label: t("exchange.state"), cell: (row) => <ImportState entry={row} /> },
              {
                label: t("exchange.rows"),
                cell: ({ results }) =>
                  t("exchange.counts", {
                    created: results.created,
                    updated: results.updated,
                    refused: results.failures + results.errors,
                  }),
              },
              // As in the audit trail, an application acts under its own name.
              { label: t("exchange.by"), cell: ({ person, program }) => program?.application ?? person?.name ?? "" },
              { label: t("exchange.when"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
            ]}
          />
        )}
      </div>
      {hasNextPage && (
        <Button variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("exchange.older")}
        </Button>
      )}
    </section>
  );
}

const isUndoing = ({ undo }: ImportEntry): boolean => undo !== null && undo.state !== "done";

export function ImportState({ entry }: { entry: ImportEntry }) {
  if (entry.undo !== null)
    return <Chip tone="violet">{t(entry.undo.state === "done" ? "exchange.undone" : "exchange.undoing")}</Chip>;
  if (isRunning(entry)) return <Chip tone="blue">{t("exchange.running")}</Chip>;
  if (entry.stopped) return <Chip tone="grey">{t("exchange.stopped")}</Chip>;
  return entry.state === "done" ? (
    <Chip tone="green">{t("exchange.done")}</Chip>
  ) : (
    <Chip tone="red" title={entry.message ?? ""}>
      {t("exchange.failed")}
    </Chip>
  );
}
