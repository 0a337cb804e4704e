import { Button, Checkbox } from "@mantine/core";
import IconDatabaseImport from "@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { ImportSummary } from "../../api/exchange.ts";
import { linkTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { CheckCounts } from "./check-counts.tsx";
import { ColumnTable } from "./column-table.tsx";
import { FileRows } from "./file-rows.tsx";
import { ImportSteps } from "./import-steps.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { type RowTab, RowTabs } from "./row-tabs.tsx";
import { type CheckStep, type FileCheck, useFileCheck } from "./use-file-check.ts";

/** A preview of an import: first its columns, then its rows. Nothing is written before the import. */
export function CheckPage({ entry, title }: { entry: ImportSummary; title: string }) {
  const { account } = useCurrentAccount();
  const [step, setStep] = useState<CheckStep>(
    new URLSearchParams(location.search).get("step") === "check" ? "check" : "columns",
  );
  const [tab, setTab] = useState<RowTab>("refused");
  const check = useFileCheck(entry, step);
  const { change, draft, silent } = check;
  return (
    <div className="page">
      <PageBar
        title={title}
        trail={[{ label: t("exchange.title"), path: settingsPaths.exchange(account.id) }]}
        actions={<CheckActions entry={entry} check={check} step={step} onStep={setStep} />}
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
        {entry.import_token !== null && <p role="status">{t("exchange.alreadyImported")}</p>}
        {entry.message !== null && (
          <p role="alert" className="form-problem">
            {entry.message}
          </p>
        )}
        {step === "columns" ? (
          <Columns entry={entry} check={check} />
        ) : (
          <CheckedRows entry={entry} check={check} tab={tab} onTab={setTab} />
        )}
      </div>
    </div>
  );
}

type Props = { entry: ImportSummary; check: FileCheck };

function CheckActions({ entry, check, step, onStep }: Props & { step: CheckStep; onStep(step: CheckStep): void }) {
  const { account } = useCurrentAccount();
  const { busy, running, isChanged, mayImport, toImport, checkAgain, start } = check;
  const { import_token: started } = entry;
  return (
    <>
      <Button variant="subtle" color="gray" {...linkTo(settingsPaths.exchange(account.id))}>
        {t("form.cancel")}
      </Button>
      {step === "check" && (
        <Button variant="default" onClick={() => onStep("columns")}>
          {t("exchange.back")}
        </Button>
      )}
      {started !== null ? (
        <Button {...linkTo(settingsPaths.import(account.id, started))}>{t("exchange.goToImport")}</Button>
      ) : isChanged ? (
        <Button onClick={checkAgain} loading={busy} disabled={running}>
          {t(step === "columns" ? "exchange.check" : "exchange.checkAgain")}
        </Button>
      ) : step === "columns" ? (
        <Button onClick={() => onStep("check")}>{t("exchange.check")}</Button>
      ) : (
        <Button onClick={start} loading={busy} disabled={!mayImport} leftSection={<Icon of={IconDatabaseImport} />}>
          {t("exchange.importRows", { count: toImport })}
        </Button>
      )}
    </>
  );
}

function Columns({ entry, check: { columns, described, mayMap, change } }: Props) {
  const setField = (header: string, field: string | null) =>
    change((was) => ({ fields: { ...was.fields, [header]: field } }));
  return (
    <ColumnTable
      columns={columns}
      fields={described?.columns ?? []}
      rows={entry.done}
      onChange={mayMap ? setField : null}
    />
  );
}

/** The results of the check: rows by outcome, corrected in place. */
function CheckedRows({ entry, check, tab, onTab }: Props & { tab: RowTab; onTab(tab: RowTab): void }) {
  const { running, described, corrections, change, checkAgain } = check;
  return (
    <>
      {running && <ProgressLine entry={entry} label={t("exchange.checking")} />}
      <CheckCounts entry={entry} />
      {entry.total !== null && entry.done < entry.total && !running && (
        <p className="quiet">{t("exchange.onlyFirst", { checked: entry.done, total: entry.total })}</p>
      )}
      <RowTabs entry={entry} active={tab} onChange={onTab} />
      <div id="row-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "columns" ? (
          <Columns entry={entry} check={check} />
        ) : (
          <FileRows
            key={tab}
            entry={entry}
            state={tab}
            fields={described?.columns ?? []}
            corrections={corrections}
            onCorrect={(line, header, cell) =>
              change(({ corrections: was }) => ({
                corrections: { ...was, [line]: header === null ? null : { ...(was[line] ?? {}), [header]: cell } },
              }))
            }
            onTakeBack={(line) =>
              change(({ corrections: was }) => ({
                corrections: Object.fromEntries(Object.entries(was).filter(([key]) => key !== String(line))),
              }))
            }
            onDone={checkAgain}
          />
        )}
      </div>
      {tab !== "columns" && <Columns entry={entry} check={check} />}
    </>
  );
}
