import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { languageName } from "../../languages/spoken-languages.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Markup } from "../../parts/markup/markup.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { accountQueries } from "../../queries/account.ts";
import { type Article, type ArticleTranslation, audiences } from "./article.ts";
import {
  type ArticleForm,
  buildBody,
  buildForm,
  buildTranslationBody,
  buildTranslationForm,
  parseDraft,
} from "./article-form.ts";
import { StaffBlock } from "./staff-block.tsx";

type Props = {
  type: RecordType;
  article: Article | null;
  translations: readonly ArticleTranslation[];
  /** the language of the article itself */
  locale: string;
  /** the initial subject of a new article */
  subject: string;
};

type ChangeForm = (part: Partial<ArticleForm> | ((before: ArticleForm) => Partial<ArticleForm>)) => void;

const shownProblems = ["subject", "description", "instructions", "service", "status", "archive_date", "locale"];

/** A form stored as a draft while the person types. */
function useArticleForm(draftKey: string, buildBase: () => ArticleForm) {
  const [base] = useState(buildBase);
  const draft = useDraft(draftKey);
  const [touched, setTouched] = useState<ArticleForm | null>(null);
  const form = touched ?? (draft.text === "" ? null : parseDraft(draft.text, base)) ?? base;
  /** Two changes may happen before the next render: each builds on the other. */
  const latest = useRef(form);
  latest.current = form;
  const change: ChangeForm = (part) => {
    const before = latest.current;
    const next = { ...before, ...(typeof part === "function" ? part(before) : part) };
    latest.current = next;
    setTouched(next);
    draft.setText(JSON.stringify(next));
  };
  const discard = () => {
    setTouched(null);
    draft.remove();
  };
  return { form, change, discard, draft };
}

/** Saves the article, or its translation into `language`. */
function useSaveArticle(
  { type, article, translations, locale }: Props,
  language: string,
  form: ArticleForm,
  onSaved: () => void,
) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const saveTranslation = async (id: number) => {
    const path = `/knowledge_articles/${id}/translations`;
    const saved = translations.find((each) => each.locale === language);
    const body = buildTranslationBody(form, language);
    await (saved === undefined ? api.create(path, body) : api.change(`${path}/${saved.id}`, body));
    return id;
  };
  return useMutation({
    mutationFn: async () => {
      if (article === null) return (await api.create("/knowledge_articles", buildBody(form))).id;
      if (language !== locale) return saveTranslation(article.id);
      return (await api.change(`/knowledge_articles/${article.id}`, buildBody(form))).id;
    },
    onSuccess: async (id) => {
      onSaved();
      showMessage(t("record.saved"));
      await queries.invalidateQueries({ queryKey: accountQueries.all(api) });
      navigateTo(paths.record(account.id, type, id), true);
    },
    onError: (error) => {
      if (!shownProblems.some((name) => getFieldError(error, name))) showError(error);
    },
  });
}

/** Markup on the left, its preview on the right. A translation has the original beside it. */
export function ArticleEditor(props: Props) {
  const { type, article, translations, locale, subject } = props;
  const { account } = useCurrentAccount();
  const { write }: { write?: string } = useSearch({ strict: false });
  const language = article === null || write === undefined || write === "" ? locale : write;
  const isTranslation = language !== locale;
  const { form, change, discard, draft } = useArticleForm(
    `knowledge_article/${article?.id ?? "new"}/${language}`,
    () =>
      isTranslation
        ? buildTranslationForm(translations.find((each) => each.locale === language))
        : buildForm(article, subject),
  );
  const at = article === null ? paths.list(account.id, type) : paths.record(account.id, type, article.id);
  const saving = useSaveArticle(props, language, form, draft.remove);
  const error = (name: string) => getFieldError(saving.error, name);
  const save = {
    id: "article.save",
    name: t("form.save"),
    group: "record" as const,
    keys: "mod+s",
    icon: IconDeviceFloppy,
    run: () => saving.mutate(),
  };
  useActions([save]);
  if (!draft.isLoaded) return <LoadingSkeleton rows={10} />;
  const title = article === null ? t("knowledge.new") : article.subject;
  return (
    <div className="page">
      <PageBar
        title={title}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        actions={
          <>
            <Button variant="default" {...linkTo(at)}>
              {t("form.cancel")}
            </Button>
            <ActionButton action={save} primary loading={saving.isPending} />
          </>
        }
      >
        {isTranslation && <span className="quiet">{languageName(language)}</span>}
      </PageBar>
      <RestoredDraft draft={draft} onDiscard={discard} />
      <div className="page-body article-write">
        {!isTranslation && <Settings form={form} error={error} onChange={change} />}
        <div className="article-panes">
          <Texts {...{ form, language, isTranslation, error }} onChange={change} />
          <Preview form={form} original={isTranslation ? article : null} />
        </div>
      </div>
    </div>
  );
}

type TextsProps = SettingsProps & { language: string; isTranslation: boolean };

function Texts({ form, language, isTranslation, error, onChange: change }: TextsProps) {
  return (
    <section className="article-input" aria-label={t("knowledge.writing")} lang={language}>
      <TextInput
        label={fieldLabel("subject")}
        required
        maxLength={255}
        value={form.subject}
        error={error("subject") ?? error("locale")}
        onChange={(event) => change({ subject: event.currentTarget.value })}
      />
      <MarkupInput
        label={t("knowledge.whenHelps")}
        rows={4}
        value={form.description}
        error={error("description")}
        onChange={(description) => change({ description })}
      />
      <MarkupInput
        label={t("knowledge.whatToDo")}
        rows={14}
        value={form.instructions}
        error={error("instructions")}
        onChange={(instructions) => change({ instructions })}
      />
      {!isTranslation && (
        <MarkupInput
          label={t("knowledge.forStaff")}
          hint={t("knowledge.forStaffHint")}
          rows={3}
          value={form.staff_instructions}
          error={error("staff_instructions")}
          onChange={(staff_instructions) => change({ staff_instructions })}
        />
      )}
    </section>
  );
}

type MarkupInputProps = {
  label: string;
  /** set if the text may stay empty */
  hint?: string;
  rows: number;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
};

const MarkupInput = ({ label, hint, rows, value, error, onChange }: MarkupInputProps) => (
  <Textarea
    label={label}
    description={hint}
    required={hint === undefined}
    autosize
    minRows={rows}
    value={value}
    error={error}
    classNames={{ input: "markup-input" }}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** The preview; for a translation the original is shown first, to compare. */
function Preview({ form, original }: { form: ArticleForm; original: Article | null }) {
  const [showsOriginal, setShowsOriginal] = useState(original !== null);
  const shown = showsOriginal && original !== null ? original : form;
  return (
    <section className="article-preview" aria-label={t("knowledge.preview")}>
      <div className="section-head">
        <h2>{t(showsOriginal && original !== null ? "knowledge.original" : "knowledge.preview")}</h2>
        {original !== null && (
          <button type="button" className="text-button" onClick={() => setShowsOriginal((was) => !was)}>
            {t(showsOriginal ? "knowledge.preview" : "knowledge.original")}
          </button>
        )}
      </div>
      <div className="article">
        {shown.subject !== "" && <h3 className="article-subject">{shown.subject}</h3>}
        <h3>{t("knowledge.whenHelps")}</h3>
        <Markup text={shown.description} />
        <h3>{t("knowledge.whatToDo")}</h3>
        <Markup text={shown.instructions} />
        <StaffBlock text={shown.staff_instructions} heading="h3" />
      </div>
    </section>
  );
}

type SettingsProps = {
  form: ArticleForm;
  error: (name: string) => string | undefined;
  onChange: ChangeForm;
};

function Settings({ form, error: errorOf, onChange: change }: SettingsProps) {
  const { api } = useCurrentAccount();
  /** A template fills empty texts. */
  const choose = async (template: ArticleForm["template"]) => {
    change({ template });
    if (template === null) return;
    try {
      const { subject, service } = await api.get("knowledge_article_template", template.id);
      change((before) => ({
        subject: before.subject === "" ? (subject ?? "") : before.subject,
        service: before.service ?? service,
      }));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <section className="article-settings" aria-label={t("knowledge.settings")}>
      <ReferencePicker
        label={fieldLabel("service")}
        to="service"
        required
        value={form.service}
        error={errorOf("service")}
        onChange={(service) => change({ service })}
      />
      <ReferencePicker
        label={fieldLabel("template")}
        to="knowledge_article_template"
        value={form.template}
        onChange={(chosen) => void choose(chosen)}
      />
      <Select
        label={fieldLabel("status")}
        data={choicesOf("knowledge_article.status").map((value) => ({
          value,
          label: choiceLabel("knowledge_article.status", value),
        }))}
        value={form.status}
        allowDeselect={false}
        error={errorOf("status")}
        onChange={(status) => status !== null && change({ status })}
      />
      <TextInput
        label={fieldLabel("keywords")}
        value={form.keywords}
        onChange={(event) => change({ keywords: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t("knowledge.review")}
        value={form.review_date}
        onChange={(event) => change({ review_date: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t("knowledge.archiveOn")}
        value={form.archive_date}
        error={errorOf("archive_date")}
        onChange={(event) => change({ archive_date: event.currentTarget.value })}
      />
      <fieldset className="plain-fieldset article-audience">
        <legend>{t("knowledge.for")}</legend>
        {audiences.map((name) => (
          <Checkbox
            key={name}
            label={t(`knowledge.for.${name}`)}
            checked={form[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        ))}
      </fieldset>
    </section>
  );
}
