import { Button } from "@mantine/core";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { exchangeApi, type ImportSummary } from "../../api/exchange.ts";
import { linkTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { CheckCounts } from "./check-counts.tsx";
import { ImportState } from "./exchange-screen.tsx";
import { FileRows } from "./file-rows.tsx";
import { ImportSteps } from "./import-steps.tsx";
import { isRunning } from "./labels.ts";
import { ProgressLine } from "./progress-line.tsx";

/** A running or finished import: progress, stop, refused rows, and undo. */
export function RunPage({ entry, title }: { entry: ImportSummary; title: string }) {
  const { account, api: rest } = useCurrentAccount();
  const queries = useQueryClient();
  const api = exchangeApi(account.id);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const running = isRunning(entry);
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work().catch(showError);
    await queries.invalidateQueries({ queryKey: exchangeQueries.import(rest, entry.token).queryKey });
    setBusy(false);
  };
  const stop = () => act(() => api.stop(entry.token));
  const { can_undo: mayUndo, undo, results } = entry;
  useActions([
    { id: "exchange.stop", name: t("exchange.stop"), group: "settings", when: running, run: () => void stop() },
    { id: "exchange.undo", name: t("exchange.undo"), group: "settings", when: mayUndo, run: () => setAsking(true) },
  ]);
  const refused = results.failures + results.errors;
  return (
    <div className="page">
      <PageBar
        title={title}
        trail={[{ label: t("exchange.title"), path: settingsPaths.exchange(account.id) }]}
        actions={
          <>
            {running && (
              <Button
                variant="default"
                onClick={() => void stop()}
                loading={busy || entry.stopped}
                leftSection={<Icon of={IconPlayerStop} />}
              >
                {t("exchange.stop")}
              </Button>
            )}
            {mayUndo && (
              <Button variant="default" onClick={() => setAsking(true)} leftSection={<Icon of={IconArrowBackUp} />}>
                {t("exchange.undo")}
              </Button>
            )}
            {!running && <Button {...linkTo(settingsPaths.exchange(account.id))}>{t("exchange.finished")}</Button>}
          </>
        }
      >
        <ImportState entry={entry} />
      </PageBar>
      <ImportSteps active="import" />
      <div className="page-body exchange">
        {running && (
          <>
            <ProgressLine entry={entry} label={t("exchange.importing")} />
            <p className="quiet">{t("exchange.mayLeave")}</p>
          </>
        )}
        {entry.message !== null && (
          <p role="alert" className="form-problem">
            {entry.stopped ? t("exchange.stoppedAfter", { rows: entry.done }) : entry.message}
          </p>
        )}
        <CheckCounts entry={entry} />
        {undo !== null && (
          <p role="status">
            {t(undo.state === "done" ? "exchange.undoEnd" : "exchange.undoProgress", {
              ...{ undone: undo.undone, total: undo.total, kept: undo.kept },
            })}
          </p>
        )}
        <div className="import-files">
          <FileLink href={entry.error_file} label={t("exchange.errorFile")} />
          <FileLink href={entry.logfile} label={t("exchange.logFile")} />
        </div>
        {undo !== null && undo.kept > 0 && (
          <section aria-label={t("exchange.keptTitle")}>
            <h2 className="settings-title">{t("exchange.keptTitle")}</h2>
            <FileRows entry={entry} state="kept" />
          </section>
        )}
        {refused > 0 && (
          <section aria-label={t("exchange.leftTitle")}>
            <h2 className="settings-title">{t("exchange.leftTitle")}</h2>
            <FileRows entry={entry} state="refused" />
          </section>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={t("exchange.undoTitle")}
          lead={t("exchange.undoText", {
            created: results.created,
            updated: results.updated,
          })}
          action={t("exchange.undo")}
          busy={busy}
          onConfirm={() => void act(() => api.undo(entry.token)).then(() => setAsking(false))}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function FileLink({ href, label }: { href: string | undefined; label: string }) {
  if (href === undefined) return null;
  return (
    <Button component="a" href={href} size="xs" variant="default" leftSection={<Icon of={IconDownload} />}>
      {label}
    </Button>
  );
}
