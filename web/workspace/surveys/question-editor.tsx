import { ActionIcon, Button, NumberInput, Switch, Textarea, TextInput } from "@mantine/core";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { type SurveyQuestion as Question, surveyQueries } from "../../queries/surveys.ts";

/** Typed but unsaved texts, by question and field: "12/guidance". */
type Texts = Readonly<Record<string, string | undefined>>;
const isQuestionType = (kind: string | null): kind is Question["type"] => kind === "star_rating" || kind === "text";
type TextField = "question" | "guidance" | "weight";

type Props = { type: RecordType; survey: Row; questions: readonly Question[] };

/** The questions in order on the left, the settings of the chosen one on the right. */
export function QuestionEditor({ type, survey, questions }: Props) {
  const { api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const path = `/surveys/${survey.id}/survey_questions`;
  const mayWrite = may("update", type);
  const saving = useMutation({
    mutationFn: (save: () => Promise<unknown>) => save(),
    onSuccess: () => queries.invalidateQueries({ queryKey: surveyQueries.questions(api, survey.id).queryKey }),
    onError: showError,
  });
  const change = (id: number, values: Partial<Question>, onSaved?: () => void) =>
    saving.mutate(() => api.change(`${path}/${id}`, values), { onSuccess: onSaved });
  const { values: texts, change: setTexts } = useFormDraft<Texts>(`survey/${survey.id}/questions`, {});
  const shown = [...questions].sort((one, other) => (one.position ?? 0) - (other.position ?? 0) || one.id - other.id);
  /** Two questions swap places; their numbers may have been equal before. */
  const move = (at: number, step: -1 | 1) =>
    saving.mutate(async () => {
      const order = [...shown];
      order.splice(at + step, 0, ...order.splice(at, 1));
      for (const [index, each] of order.entries())
        if (each.position !== index + 1) await api.change(`${path}/${each.id}`, { position: index + 1 });
    });
  return (
    <div className="survey-editor">
      <section aria-label={t("surveys.tab.questions")}>
        <ol className="survey-questions">
          {shown.map((question, at) => (
            <li key={question.id}>
              <QuestionForm
                question={question}
                readOnly={!mayWrite}
                isFirst={at === 0}
                isLast={at === shown.length - 1}
                typed={(field) => texts[`${question.id}/${field}`]}
                onType={(field, text) => setTexts({ [`${question.id}/${field}`]: text })}
                onChange={(values, onSaved) => change(question.id, values, onSaved)}
                onMove={(step) => move(at, step)}
              />
            </li>
          ))}
        </ol>
        {mayWrite && (
          <Button
            variant="default"
            leftSection={<Icon of={IconPlus} />}
            loading={saving.isPending}
            onClick={() =>
              saving.mutate(() => api.create(path, { question: t("surveys.newQuestion"), type: "star_rating" }))
            }
          >
            {t("surveys.add")}
          </Button>
        )}
      </section>
      <Preview survey={survey} questions={shown} />
    </div>
  );
}

/** A preview of the questions. */
const Preview = ({ survey, questions }: { survey: Row; questions: readonly Question[] }) => (
  <section className="survey-preview" aria-label={t("broadcasts.preview")}>
    <h2>{String(survey.name)}</h2>
    {typeof survey.introduction === "string" && <p>{survey.introduction}</p>}
    {questions
      .filter(({ disabled }) => !disabled)
      .map(({ id, question, guidance, type: kind }) => (
        <div key={id} className="survey-preview-question">
          <b>{question}</b>
          {guidance !== null && guidance !== "" && <p className="quiet">{guidance}</p>}
          {kind === "text" ? (
            <div className="survey-preview-text" />
          ) : (
            <div className="survey-preview-stars" aria-hidden="true">
              {[1, 2, 3, 4, 5].map((stars) => (
                <span key={stars}>{stars} ★</span>
              ))}
            </div>
          )}
        </div>
      ))}
  </section>
);

type FormProps = {
  question: Question;
  readOnly: boolean;
  isFirst: boolean;
  isLast: boolean;
  typed(field: TextField): string | undefined;
  onType(field: TextField, text: string | undefined): void;
  onChange(values: Partial<Question>, onSaved?: () => void): void;
  onMove(step: -1 | 1): void;
};

/** Texts are saved on blur, choices immediately. */
function QuestionForm({ question, readOnly, isFirst, isLast, typed, onType, onChange, onMove }: FormProps) {
  const name = question.question;
  /** `values`: null if the text is unchanged or invalid */
  const leave = (field: TextField, values: Partial<Question> | null) => {
    if (values === null) onType(field, undefined);
    else onChange(values, () => onType(field, undefined));
  };
  const leaveText = () => {
    const text = typed("question")?.trim() ?? "";
    leave("question", text === "" || text === name ? null : { question: text });
  };
  const leaveGuidance = () => {
    const text = typed("guidance") ?? question.guidance ?? "";
    leave("guidance", text === (question.guidance ?? "") ? null : { guidance: text === "" ? null : text });
  };
  const leaveWeight = () => {
    const text = typed("weight") ?? "";
    const weight = Number(text);
    const isWeight = text !== "" && Number.isInteger(weight) && weight >= 0 && weight !== (question.weight ?? 1);
    leave("weight", isWeight ? { weight } : null);
  };
  return (
    <fieldset className="survey-form" disabled={readOnly}>
      <legend className="spoken">{name}</legend>
      <TextInput
        label={fieldLabel("question")}
        maxLength={128}
        value={typed("question") ?? name}
        onChange={(event) => onType("question", event.currentTarget.value)}
        onBlur={leaveText}
      />
      <Textarea
        label={fieldLabel("guidance")}
        autosize
        minRows={1}
        value={typed("guidance") ?? question.guidance ?? ""}
        onChange={(event) => onType("guidance", event.currentTarget.value)}
        onBlur={leaveGuidance}
      />
      <div className="survey-form-row">
        <Select
          label={fieldLabel("type")}
          allowDeselect={false}
          data={choicesOf("survey_question.type").map((value) => ({
            value,
            label: choiceLabel("survey_question.type", value),
          }))}
          value={question.type}
          onChange={(kind) => isQuestionType(kind) && onChange({ type: kind })}
        />
        {question.type === "star_rating" && (
          <NumberInput
            label={fieldLabel("weight")}
            min={0}
            max={100}
            allowDecimal={false}
            value={typed("weight") ?? question.weight ?? 1}
            onChange={(weight) => onType("weight", String(weight))}
            onBlur={leaveWeight}
          />
        )}
        <Switch
          label={t("surveys.asked")}
          checked={!question.disabled}
          onChange={(event) => onChange({ disabled: !event.currentTarget.checked })}
        />
        <span className="survey-form-moves">
          <ActionIcon
            variant="default"
            disabled={isFirst}
            aria-label={t("portalSettings.up", { label: name })}
            onClick={() => onMove(-1)}
          >
            <Icon of={IconArrowUp} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            disabled={isLast}
            aria-label={t("portalSettings.down", { label: name })}
            onClick={() => onMove(1)}
          >
            <Icon of={IconArrowDown} />
          </ActionIcon>
        </span>
      </div>
    </fieldset>
  );
}
