import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { linkTo, navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, fieldLabel } from "../../languages/labels.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { languageName } from "../../languages/spoken-languages.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { ReferencePicker } from "../../parts/forms/reference-picker.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Markup } from "../../parts/markup/markup.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
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
  /** of a new article that begins with something */
  subject: string;
};

type ChangeForm = (part: Partial<ArticleForm> | ((before: ArticleForm) => Partial<ArticleForm>)) => void;

const shownProblems = ["subject", "description", "instructions", "service", "status", "archive_date", "locale"];

/** Markup at the left, what becomes of it at the right. A translation has the original beside it. */
export function ArticleEditor({ type, article, translations, locale, subject }: Props) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const { write } = useSearch({ strict: false }) as { write?: string };
  const language = article === null || write === undefined || write === "" ? locale : write;
  const isTranslation = language !== locale;
  const saved = translations.find((each) => each.locale === language);
  const [base] = useState(() => (isTranslation ? buildTranslationForm(saved) : buildForm(article, subject)));
  const draft = useDraft(`knowledge_article/${article?.id ?? "new"}/${language}`);
  const [touched, setTouched] = useState<ArticleForm | null>(null);
  const form = touched ?? (draft.text === "" ? null : parseDraft(draft.text, base)) ?? base;
  const change: ChangeForm = (part) =>
    setTouched((before) => {
      const last = before ?? form;
      return { ...last, ...(typeof part === "function" ? part(last) : part) };
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed is kept; the draft itself is no news
  useEffect(() => {
    if (touched !== null) draft.setText(JSON.stringify(touched));
  }, [touched]);
  const discard = () => {
    setTouched(null);
    draft.remove();
  };
  const at = article === null ? paths.list(account.id, type) : paths.record(account.id, type, article.id);
  const saving = useMutation({
    mutationFn: async () => {
      if (!isTranslation)
        return article === null
          ? api.create("/knowledge_articles", buildBody(form))
          : api.change(`/knowledge_articles/${article.id}`, buildBody(form));
      const path = `/knowledge_articles/${article?.id}/translations`;
      const body = buildTranslationBody(form, language);
      await (saved === undefined ? api.create(path, body) : api.change(`${path}/${saved.id}`, body));
      return article as Article;
    },
    onSuccess: async (result) => {
      draft.remove();
      showMessage(t("record.saved"));
      await queries.invalidateQueries({ queryKey: [account.id] });
      navigateTo(paths.record(account.id, type, result.id), true);
    },
    onError: (error) => {
      if (!shownProblems.some((name) => getFieldError(error, name))) showError(error);
    },
  });
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
          <Preview form={form} original={isTranslation ? article : null} />
        </div>
      </div>
    </div>
  );
}

type MarkupInputProps = {
  label: string;
  /** set where the text may stay empty */
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

/** As readers see it; for a translation the original stands first, to compare. */
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
        <h3 className="article-subject">{shown.subject}</h3>
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
  /** What a template begins with fills what is empty. */
  const choose = async (template: ArticleForm["template"]) => {
    change({ template });
    if (template === null) return;
    try {
      const { subject, service } = await api.get(`/knowledge_article_templates/${template.id}`);
      change((before) => ({
        subject: before.subject === "" ? String(subject ?? "") : before.subject,
        service: before.service ?? ((service ?? null) as ArticleForm["service"]),
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
