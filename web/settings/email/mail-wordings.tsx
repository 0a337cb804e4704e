import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { MailWording } from "../../api/administration.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { findType } from "../../base/record-types.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { Chip } from "../../elements/chip.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { currentLanguage, languageCodes, t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { languageName } from "../../languages/spoken-languages.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import type { Reference } from "../../queries/reference.ts";
import { emailQueries } from "../../queries/settings/email.ts";
import { DraftNote } from "../draft-note.tsx";
import { useAddressSearch } from "../use-address-search.ts";
import "../../styles/settings/home.css";

/** The texts of the account's outgoing emails, by kind and language. */
export function MailWordingsScreen() {
  const { api } = useCurrentAccount();
  const [address, go] = useAddressSearch("mail", "in");
  const { data, error, refetch } = useQuery(emailQueries.wordings(api));
  const chosen = data?.find(({ id }) => id === address.mail) ?? data?.[0];
  const language = address.in ?? currentLanguage();
  return (
    <div>
      <PageHeader title={t("settings.wordings")} lead={t("wordings.lead")} />
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined || chosen === undefined ? (
        <LoadingSkeleton />
      ) : (
        <div className="wordings">
          <nav className="card wordings-list" aria-label={t("settings.wordings")}>
            {data.map((wording) => (
              <button
                key={wording.id}
                type="button"
                className="wordings-item"
                aria-current={wording.id === chosen.id ? "true" : undefined}
                onClick={() => go({ mail: wording.id })}
              >
                <span className="truncate">{getTitle(wording, currentLanguage())}</span>
                <span className="quiet truncate">{describeTypes(wording)}</span>
                {wording.texts.some(({ changed }) => changed) && <Chip tone="blue">{t("wordings.changed")}</Chip>}
              </button>
            ))}
          </nav>
          <WordingForm
            key={`${chosen.id} ${language}`}
            wording={chosen}
            language={language}
            onLanguage={(code) => go({ mail: chosen.id, in: code })}
          />
        </div>
      )}
    </div>
  );
}

const findText = ({ texts }: MailWording, language: string) =>
  texts.find((text) => text.language === language) ?? texts[0];
const getTitle = (wording: MailWording, language: string): string => {
  const title = findText(wording, language)?.title ?? wording.id;
  return title.charAt(0).toLocaleUpperCase() + title.slice(1);
};
const describeTypes = ({ about }: MailWording): string =>
  about
    .map((name) => {
      const type = findType(name);
      return type === undefined ? name : collectionLabel(type);
    })
    .join(", ");

type FormProps = { wording: MailWording; language: string; onLanguage(code: string): void };

function WordingForm({ wording, language, onLanguage }: FormProps) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const calls = administrationApi(account.id);
  const stored = findText(wording, language);
  const {
    values: { title, text },
    change,
    draft,
    isOutdated,
  } = useSettingsDraft(`wording/${wording.id}/${language}`, { title: stored?.title ?? "", text: stored?.text ?? "" });
  const [record, setRecord] = useState<Reference | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: emailQueries.wordings(api).queryKey });
  const save = useMutation({
    mutationFn: () => calls.changeMailWording(wording.id, language, { title, text }),
    onSuccess: async () => {
      showMessage(t("wordings.saved"));
      await refresh();
      draft.remove();
    },
    onError: (error) => getFieldError(error, "title") ?? getFieldError(error, "text") ?? showError(error),
  });
  const reset = useMutation({
    mutationFn: () => calls.resetMailWording(wording.id, language),
    onSuccess: async () => {
      showMessage(t("wordings.wasReset"));
      await refresh();
      draft.remove();
    },
    onError: showError,
  });
  const preview = useMutation({
    mutationFn: (id: number) => calls.previewMailWording(wording.id, language, { title, text, record_id: id }),
    onError: (error) => getFieldError(error, "title") ?? getFieldError(error, "text") ?? showError(error),
  });
  const failure = save.error ?? preview.error;
  const about = wording.about[0] ?? "request";
  return (
    <form
      className="card wordings-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="md">
        <DraftNote draft={draft} isOutdated={isOutdated} />
        <Select
          label={t("wordings.language")}
          data={languageCodes.map((value) => ({ value, label: languageName(value) }))}
          value={language}
          allowDeselect={false}
          onChange={(code) => code !== null && onLanguage(code)}
        />
        <TextInput
          label={t("wordings.title")}
          description={t("wordings.titleHint")}
          lang={language}
          maxLength={200}
          value={title}
          onChange={(event) => change({ title: event.currentTarget.value })}
          error={getFieldError(failure, "title")}
        />
        <Textarea
          label={t("wordings.text")}
          lang={language}
          autosize
          minRows={3}
          maxLength={2000}
          value={text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          error={getFieldError(failure, "text")}
        />
        <p className="quiet">
          {t("wordings.placeholders")}{" "}
          {wording.placeholders.map((name) => (
            <code key={name} className="wordings-placeholder">{`{${name}}`}</code>
          ))}
        </p>
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t("form.save")}
          </Button>
          {stored?.changed === true && (
            <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate()}>
              {t("wordings.reset")}
            </Button>
          )}
        </Group>
        <section aria-label={t("wordings.preview")} className="wordings-preview">
          <h2 className="settings-title">{t("wordings.preview")}</h2>
          <ReferencePicker
            label={t("wordings.previewOf")}
            to={about}
            value={record}
            onChange={(chosen) => {
              setRecord(chosen);
              if (chosen !== null) preview.mutate(Number(chosen.id));
            }}
          />
          {record !== null && (
            <Button variant="default" size="xs" mt="xs" onClick={() => preview.mutate(Number(record.id))}>
              {t("wordings.previewAgain")}
            </Button>
          )}
          <div role="status">
            {preview.data !== undefined && (
              <div lang={language} className="wordings-mail">
                <strong>{preview.data.subject}</strong>
                <pre>{preview.data.body}</pre>
              </div>
            )}
          </div>
        </section>
      </Stack>
    </form>
  );
}
