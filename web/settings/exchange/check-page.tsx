import { Button, Checkbox } from "@mantine/core";
import IconDatabaseImport from "@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { type AgainOptions, type Corrections, exchangeApi, type ImportSummary } from "../../api/exchange.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { formatNumber } from "../../formats.ts";
import { linkTo, navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { showError } from "../../parts/toast.tsx";
import { settingsPaths } from "../settings-paths.ts";
import { CheckCounts } from "./check-counts.tsx";
import { ColumnTable } from "./column-table.tsx";
import { FileRows } from "./file-rows.tsx";
import { ImportSteps } from "./import-steps.tsx";
import { isRunning } from "./labels.ts";
import { ProgressLine } from "./progress-line.tsx";

const tabs = ["refused", "changed", "new", "columns"] as const;
type Tab = (typeof tabs)[number];

/** What a file would do: its columns first, then its rows. Nothing is written before the import. */
export function CheckPage({ entry, title }: { entry: ImportSummary; title: string }) {
  const { account } = useCurrentAccount();
  const api = exchangeApi(account.id);
  const [step, setStep] = useState<"columns" | "check">(
    new URLSearchParams(location.search).get("step") === "check" ? "check" : "columns",
  );
  const [tab, setTab] = useState<Tab>("refused");
  const { values, change, draft } = useFormDraft(`settings/import/${entry.token}`, {
    fields: {} as Record<string, string | null>,
    corrections: {} as Corrections,
    silent: entry.suppress_events,
  });
  const { fields, corrections, silent } = values;
  const [busy, setBusy] = useState(false);
  const { data: described } = useQuery({
    queryKey: [account.id, "import type", entry.type],
    queryFn: () => api.type(entry.type),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const columns = entry.columns.map((column) =>
    Object.hasOwn(fields, column.header) ? { ...column, field: fields[column.header] ?? null } : column,
  );
  const isChanged = Object.keys(fields).length > 0 || Object.keys(corrections).length > 0;
  const running = isRunning(entry);
  const { results } = entry;
  const toImport = results.created + results.updated;
  const mapping =
    described?.can_map === true ? Object.fromEntries(columns.map(({ header, field }) => [header, field])) : undefined;
  const readAgain = async (options: AgainOptions) => {
    if (busy) return;
    setBusy(true);
    try {
      const { token } = await api.again(entry.token, {
        ...options,
        ...(mapping === undefined ? {} : { mapping }),
        ...(options.dry_run === true ? { corrections } : {}),
      });
      draft.remove();
      navigateTo(`${settingsPaths.import(account.id, token)}${options.dry_run === true ? "?step=check" : ""}`);
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  };
  const checkAgain = () => readAgain({ dry_run: true });
  const start = () => readAgain({ suppress_events: silent });
  const { import_token: started } = entry;
  const mayImport =
    step === "check" && !running && !isChanged && entry.state === "done" && toImport > 0 && started === null;
  useActions([
    {
      id: "exchange.checkAgain",
      name: t("exchange.checkAgain"),
      group: "settings",
      when: isChanged && !running && started === null,
      run: () => void checkAgain(),
    },
    { id: "exchange.import", name: t("exchange.import"), group: "settings", when: mayImport, run: () => void start() },
  ]);
  const setField = (header: string, field: string | null) =>
    change((was) => ({ fields: { ...was.fields, [header]: field } }));
  const table = (
    <ColumnTable
      columns={columns}
      fields={described?.columns ?? []}
      rows={entry.done}
      onChange={described?.can_map === true ? setField : null}
    />
  );
  return (
    <div className="page">
      <PageBar
        title={title}
        trail={[{ label: t("exchange.title"), path: settingsPaths.exchange(account.id) }]}
        actions={
          <>
            <Button variant="subtle" color="gray" {...linkTo(settingsPaths.exchange(account.id))}>
              {t("form.cancel")}
            </Button>
            {step === "check" && (
              <Button variant="default" onClick={() => setStep("columns")}>
                {t("exchange.back")}
              </Button>
            )}
            {started !== null ? (
              <Button {...linkTo(settingsPaths.import(account.id, started))}>{t("exchange.goToImport")}</Button>
            ) : isChanged ? (
              <Button onClick={() => void checkAgain()} loading={busy} disabled={running}>
                {t(step === "columns" ? "exchange.check" : "exchange.checkAgain")}
              </Button>
            ) : step === "columns" ? (
              <Button onClick={() => setStep("check")}>{t("exchange.check")}</Button>
            ) : (
              <Button
                onClick={() => void start()}
                loading={busy}
                disabled={!mayImport}
                leftSection={<Icon of={IconDatabaseImport} />}
              >
                {t("exchange.importRows", { count: toImport, rows: formatNumber(toImport) })}
              </Button>
            )}
          </>
        }
      />
      <ImportSteps active={step}>
        <Checkbox
          size="xs"
          label={t("exchange.silent")}
          checked={silent}
          onChange={(event) => change({ silent: event.currentTarget.checked })}
        />
      </ImportSteps>
      <div className="page-body exchange">
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        {started !== null && <p role="status">{t("exchange.alreadyImported")}</p>}
        {entry.message !== null && (
          <p role="alert" className="form-problem">
            {entry.message}
          </p>
        )}
        {step === "columns" ? (
          table
        ) : (
          <>
            {running && <ProgressLine entry={entry} label={t("exchange.checking")} />}
            <CheckCounts entry={entry} />
            {entry.total !== null && entry.done < entry.total && !running && (
              <p className="quiet">
                {t("exchange.onlyFirst", { checked: formatNumber(entry.done), total: formatNumber(entry.total) })}
              </p>
            )}
            <div className="row-bar">
              <div className="row-tabs" role="tablist" aria-label={t("exchange.rows")}>
                {tabs.map((each) => (
                  <button
                    key={each}
                    type="button"
                    role="tab"
                    id={`tab-${each}`}
                    aria-selected={tab === each}
                    aria-controls="row-panel"
                    tabIndex={tab === each ? 0 : -1}
                    onClick={() => setTab(each)}
                    onKeyDown={(event) => {
                      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
                      const next = tabs[(tabs.indexOf(each) + by + tabs.length) % tabs.length];
                      if (by === 0 || next === undefined) return;
                      setTab(next);
                      document.getElementById(`tab-${next}`)?.focus();
                    }}
                  >
                    {t(`exchange.tab.${each}`)} <span className="quiet numbers">{countOf(entry, each)}</span>
                  </button>
                ))}
              </div>
              {entry.error_file !== undefined && (
                <Button
                  component="a"
                  href={entry.error_file}
                  size="xs"
                  variant="default"
                  leftSection={<Icon of={IconDownload} />}
                >
                  {t("exchange.errorFile")}
                </Button>
              )}
            </div>
            <div id="row-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
              {tab === "columns" ? (
                table
              ) : (
                <FileRows
                  key={tab}
                  entry={entry}
                  state={tab}
                  fields={described?.columns ?? []}
                  corrections={corrections}
                  onCorrect={(line, header, cell) =>
                    change(({ corrections: was }) => ({
                      corrections: {
                        ...was,
                        [line]: header === null ? null : { ...(was[line] ?? {}), [header]: cell },
                      },
                    }))
                  }
                  onTakeBack={(line) =>
                    change(({ corrections: was }) => ({
                      corrections: Object.fromEntries(Object.entries(was).filter(([key]) => key !== String(line))),
                    }))
                  }
                  onDone={() => void checkAgain()}
                />
              )}
            </div>
            {tab !== "columns" && table}
          </>
        )}
      </div>
    </div>
  );
}

function countOf({ results, columns }: ImportSummary, tab: Tab): string {
  const counts = {
    refused: results.failures + results.errors,
    changed: results.updated,
    new: results.created,
    columns: columns.filter(({ field }) => field !== null).length,
  };
  return tab === "columns"
    ? t("exchange.ofColumns", { known: formatNumber(counts.columns), all: formatNumber(columns.length) })
    : formatNumber(counts[tab]);
}
