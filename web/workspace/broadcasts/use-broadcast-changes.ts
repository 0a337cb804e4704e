import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { accountQueries } from "../../queries/account.ts";
import { type BroadcastForm, buildBody, changedTranslations, type Translation } from "./broadcast-form.ts";

const shownProblems = ["message", "visibility", "start_at", "end_at", "request"];

type Options = {
  type: RecordType;
  row: Row | null;
  form: BroadcastForm;
  translations: readonly Translation[];
  locale: string;
  onSaved(): void;
};

/** Saves a broadcast with its translations; ends it or reactivates it. */
export function useBroadcastChanges({ type, row, form, translations, locale, onSaved }: Options) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  // A broadcast is part of many pages: banners, lists, its request's page.
  const refresh = () => queries.invalidateQueries({ queryKey: accountQueries.all(api) });
  const saving = useMutation({
    mutationFn: async () => {
      const body = buildBody(form, locale);
      const saved = await (row === null ? api.create("/broadcasts", body) : api.change(`/broadcasts/${row.id}`, body));
      for (const { locale: each, text, saved: old } of changedTranslations(form, translations, locale)) {
        const path = `/broadcasts/${saved.id}/translations`;
        if (old === undefined) await api.create(path, { locale: each, message: text });
        else if (text === "") await api.remove(`${path}/${old.id}`);
        else await api.change(`${path}/${old.id}`, { message: text });
      }
      return saved;
    },
    onSuccess: async (saved) => {
      onSaved();
      showMessage(t("record.saved"));
      await refresh();
      if (row === null) navigateTo(paths.record(account.id, type, saved.id), true);
    },
    onError: (error) => {
      if (!shownProblems.some((name) => getFieldError(error, name))) showError(error);
    },
  });
  const switching = useMutation({
    mutationFn: (disabled: boolean) => api.change(`/broadcasts/${row?.id}`, { disabled }),
    onSuccess: refresh,
    onError: showError,
  });
  return { saving, switching };
}
