import { Button } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import type { ImportSummary } from "../../api/exchange.ts";
import { formatNumber } from "../../base/formats.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";

const tabs = ["refused", "changed", "new", "columns"] as const;
export type RowTab = (typeof tabs)[number];

type Props = { entry: ImportSummary; active: RowTab; onChange(tab: RowTab): void };

/** The rows of a file by outcome, and its columns; each with its count. */
export const RowTabs = ({ entry, active, onChange }: Props) => (
  <div className="row-bar">
    <div className="row-tabs" role="tablist" aria-label={t("exchange.rows")}>
      {tabs.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-selected={active === each}
          aria-controls="row-panel"
          tabIndex={active === each ? 0 : -1}
          onClick={() => onChange(each)}
          onKeyDown={(event) => {
            const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            const next = tabs[(tabs.indexOf(each) + by + tabs.length) % tabs.length];
            if (by === 0 || next === undefined) return;
            onChange(next);
            document.getElementById(`tab-${next}`)?.focus();
          }}
        >
          {t(`exchange.tab.${each}`)} <span className="quiet numbers">{formatCount(entry, each)}</span>
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
);

function formatCount({ results, columns }: ImportSummary, tab: RowTab): string {
  const counts = {
    refused: results.failures + results.errors,
    changed: results.updated,
    new: results.created,
    columns: columns.filter(({ field }) => field !== null).length,
  };
  return tab === "columns"
    ? t("exchange.ofColumns", { known: counts.columns, all: columns.length })
    : formatNumber(counts[tab]);
}
