import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type AgainOptions, type Corrections, exchangeApi, type ImportSummary } from "../../api/exchange.ts";
import { navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { isRunning } from "./labels.ts";

export type CheckStep = "columns" | "check";
type Values = { fields: Record<string, string | null>; corrections: Corrections; silent: boolean };

/** The column mapping of a file, the administrator's corrections, and the next step. */
export function useFileCheck(entry: ImportSummary, step: CheckStep) {
  const { account, api: rest } = useCurrentAccount();
  const { values, change, draft } = useFormDraft<Values>(`settings/import/${entry.token}`, {
    fields: {},
    corrections: {},
    silent: entry.suppress_events,
  });
  const { fields, corrections, silent } = values;
  const [busy, setBusy] = useState(false);
  const { data: described } = useQuery(exchangeQueries.type(rest, entry.type));
  const columns = entry.columns.map((column) =>
    Object.hasOwn(fields, column.header) ? { ...column, field: fields[column.header] ?? null } : column,
  );
  const mayMap = described?.can_map === true;
  const mapping = mayMap ? Object.fromEntries(columns.map(({ header, field }) => [header, field])) : undefined;
  const readAgain = async (options: AgainOptions) => {
    if (busy) return;
    setBusy(true);
    try {
      const { token } = await exchangeApi(account.id).again(entry.token, {
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
  const checkAgain = () => void readAgain({ dry_run: true });
  const start = () => void readAgain({ suppress_events: silent });

  const isChanged = Object.keys(fields).length > 0 || Object.keys(corrections).length > 0;
  const running = isRunning(entry);
  const { results, import_token: started } = entry;
  const toImport = results.created + results.updated;
  const mayImport =
    step === "check" && !running && !isChanged && entry.state === "done" && toImport > 0 && started === null;
  const mayCheckAgain = isChanged && !running && started === null;
  useActions([
    {
      ...{ id: "exchange.checkAgain", name: t("exchange.checkAgain"), group: "settings" },
      ...{ when: mayCheckAgain, run: checkAgain },
    },
    { id: "exchange.import", name: t("exchange.import"), group: "settings", when: mayImport, run: start },
  ]);
  return {
    ...{ change, draft, silent, corrections, columns, described, mayMap, busy },
    ...{ running, isChanged, mayImport, toImport, checkAgain, start },
  };
}

export type FileCheck = ReturnType<typeof useFileCheck>;
