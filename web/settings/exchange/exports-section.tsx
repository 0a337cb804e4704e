import { Anchor, Button, TextInput } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type ExportEntry, exchangeApi } from "../../api/exchange.ts";
import { formatDateTime } from "../../base/formats.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Chip } from "../../elements/chip.tsx";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { MultiSelect } from "../../fields/pickers/multi-select.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { exchangeTypeLabel, isRunning } from "./labels.ts";

/** Finished exports, the progress of running ones, and a form for the next one. */
export function ExportsSection() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...exchangeQueries.exports(api),
    refetchInterval: ({ state }) => (state.data?.rows.some(isRunning) ? 1000 : false),
  });
  return (
    <section aria-label={t("exchange.exports")}>
      <h2 className="settings-title">{t("exchange.exports")}</h2>
      <ExportForm
        onStarted={() => void queries.invalidateQueries({ queryKey: exchangeQueries.exports(api).queryKey })}
      />
      <div className="card">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : data.rows.length === 0 ? (
          <EmptyState title={t("exchange.noExports")} lead={t("exchange.noExportsLead")} />
        ) : (
          <SimpleTable
            label={t("exchange.exports")}
            rows={data.rows}
            keyOf={({ token }) => token}
            columns={[
              { label: t("exchange.what"), cell: ({ types }) => types.map(exchangeTypeLabel).join(", ") },
              { label: t("exchange.state"), cell: (row) => <ExportState entry={row} /> },
              { label: t("exchange.by"), cell: ({ person }) => person?.name ?? "" },
              { label: t("exchange.when"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
              {
                label: t("exchange.file"),
                cell: ({ url }) =>
                  url === undefined ? (
                    ""
                  ) : (
                    <Anchor href={url} size="sm">
                      {t("exchange.download")}
                    </Anchor>
                  ),
              },
            ]}
          />
        )}
      </div>
    </section>
  );
}

function ExportState({ entry }: { entry: ExportEntry }) {
  if (isRunning(entry))
    return (
      <Chip tone="blue">
        {entry.type === null
          ? t("exchange.running")
          : t("exchange.writing", { type: exchangeTypeLabel(entry.type), line: entry.line })}
      </Chip>
    );
  if (entry.state === "done") return <Chip tone="green">{t("exchange.done")}</Chip>;
  if (entry.rate_limit_exceeded === null) return <Chip tone="red">{t("exchange.failed")}</Chip>;
  return (
    <Chip tone="yellow">
      {entry.again_at === null
        ? t("exchange.onceADay", { type: exchangeTypeLabel(entry.rate_limit_exceeded) })
        : t("exchange.againAt", {
            type: exchangeTypeLabel(entry.rate_limit_exceeded),
            moment: formatDateTime(entry.again_at),
          })}
    </Chip>
  );
}

type ExportValues = { types: string[]; format: ExportEntry["format"]; from: string };

function ExportForm({ onStarted }: { onStarted(): void }) {
  const { account, api } = useCurrentAccount();
  const { values, change, draft } = useFormDraft<ExportValues>("settings/export", {
    types: [],
    format: "csv",
    from: "",
  });
  const { types, format, from } = values;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { data } = useQuery(exchangeQueries.types(api));
  const options = (data ?? [])
    .map(({ type }) => ({ value: type, label: exchangeTypeLabel(type) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  const start = async () => {
    if (types.length === 0 || busy) return setProblem(types.length === 0 ? t("exchange.chooseTypes") : null);
    setBusy(true);
    setProblem(null);
    try {
      const token = await exchangeApi(account.id).startExport(types, format, from === "" ? null : from);
      if (token === null) showMessage(t("exchange.nothingChanged"));
      else draft.remove();
      onStarted();
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  };
  return (
    <form
      className="export-form"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <RestoredDraft draft={draft} onDiscard={draft.remove} />
      <MultiSelect
        label={t("exchange.what")}
        data={options}
        value={types}
        onChange={(chosen) => change({ types: chosen })}
        searchable
        error={problem}
        maxDropdownHeight={260}
        nothingFoundMessage={t("form.nothingFound")}
      />
      <Select
        label={t("exchange.format")}
        data={[
          { value: "csv", label: "CSV" },
          { value: "xlsx", label: "Excel (XLSX)" },
        ]}
        value={format}
        onChange={(value) => change({ format: value === "xlsx" ? "xlsx" : "csv" })}
        allowDeselect={false}
      />
      <TextInput
        type="date"
        label={t("exchange.since")}
        value={from}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <Button type="submit" loading={busy} variant="default" leftSection={<Icon of={IconDownload} />}>
        {t("exchange.export")}
      </Button>
    </form>
  );
}
