import { Button, FileInput, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { exchangeApi } from "../../api/exchange.ts";
import { navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { exchangeQueries } from "../../queries/settings/exchange.ts";
import { ImportSteps } from "./import-steps.tsx";
import { exchangeTypeLabel } from "./labels.ts";
import "../../styles/areas/exchange.css";

/** The first step: the type of the records, and the file itself, chosen, dropped or pasted. */
export function NewImportScreen() {
  const { account, api: rest } = useCurrentAccount();
  const api = exchangeApi(account.id);
  const initialType = new URLSearchParams(location.search).get("type");
  const { values, change, draft } = useFormDraft("settings/import/new", { type: initialType, text: "" });
  const { type, text } = values;
  const [file, setFile] = useState<File | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { data } = useQuery(exchangeQueries.types(rest));
  const options = (data ?? [])
    .map((each) => ({ value: each.type, label: exchangeTypeLabel(each.type) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  const chosen = file ?? (text.trim() === "" ? null : new File([text], t("exchange.pastedName")));
  const startCheck = async () => {
    if (busy) return;
    if (type === null || chosen === null) return setProblem(t("exchange.needFile"));
    setBusy(true);
    setProblem(null);
    try {
      const { token } = await api.check(type, chosen);
      draft.remove();
      navigateTo(settingsPaths.import(account.id, token));
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <div className="page">
      <PageBar
        title={t("exchange.new")}
        trail={[{ label: t("exchange.title"), path: settingsPaths.exchange(account.id) }]}
        actions={
          <Button onClick={() => void startCheck()} loading={busy}>
            {t("exchange.next")}
          </Button>
        }
      />
      <ImportSteps active="file" />
      <form
        className="page-body exchange import-form"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          setFile(event.dataTransfer.files[0] ?? null);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void startCheck();
        }}
      >
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        <Select
          label={t("exchange.holds")}
          data={options}
          value={type}
          onChange={(chosen) => change({ type: chosen })}
          searchable
          maxDropdownHeight={320}
          nothingFoundMessage={t("form.nothingFound")}
          required
        />
        <FileInput
          label={t("exchange.file")}
          description={t("exchange.fileHint")}
          placeholder={t("exchange.choose")}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          value={file}
          onChange={setFile}
          clearable
          clearButtonProps={{ "aria-label": t("exchange.removeFile") }}
        />
        <Textarea
          label={t("exchange.paste")}
          description={t("exchange.pasteHint")}
          value={text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          disabled={file !== null}
          autosize
          minRows={5}
          maxRows={14}
          classNames={{ input: "mono" }}
        />
        {problem !== null && (
          <p role="alert" className="form-problem">
            {problem}
          </p>
        )}
        <button type="submit" hidden />
      </form>
    </div>
  );
}
