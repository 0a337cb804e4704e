import { Button, Radio, Textarea } from "@mantine/core";
import { diffWordsWithSpace } from "diff";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { FieldValue } from "../../fields/field-value.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import type { Changes, Collision } from "./use-save.ts";

const choiceNames = ["mine", "theirs", "edited"] as const;
type Choice = (typeof choiceNames)[number];
type Values = { choices: Readonly<Record<string, Choice>>; texts: Readonly<Record<string, string>> };

const isText = (value: unknown): value is string => typeof value === "string" && value.length > 40;

type Props = { type: RecordType; collisions: readonly Collision[]; onAnswer(chosen: Changes | null): void };

/** My values and theirs side by side, for every field that both changed. */
export function CollisionDialog({ type, collisions, onAnswer }: Props) {
  const key = `${type.name}/${collisions[0]?.record ?? "own"}/collision`;
  const { values, change, draft } = useFormDraft<Values>(key, { choices: {}, texts: {} });
  const { choices, texts } = values;
  const apply = () => {
    const entries = collisions.map(({ field, mine, theirs }): [string, unknown] => {
      const choice = choices[field] ?? "mine";
      return [field, choice === "edited" ? (texts[field] ?? mine) : choice === "mine" ? mine : theirs];
    });
    draft.remove();
    onAnswer(Object.fromEntries(entries));
  };
  return (
    <Dialog title={t("request.stale.title")} size="lg" loose={false} onClose={() => onAnswer(null)}>
      <p className="quiet">{t("request.stale.lead")}</p>
      {collisions.map(({ field, mine, theirs }) => (
        <fieldset key={field} className="collision">
          <legend>{fieldLabel(field)}</legend>
          <Radio.Group
            aria-label={fieldLabel(field)}
            value={choices[field] ?? "mine"}
            onChange={(value) => {
              const choice = choiceNames.find((each) => each === value);
              if (choice !== undefined) change((was) => ({ choices: { ...was.choices, [field]: choice } }));
            }}
          >
            <div className="collision-sides">
              <div className="collision-side">
                <Radio value="mine" label={t("request.stale.mine")} />
                <Value type={type} field={field} value={mine} against={theirs} />
              </div>
              <div className="collision-side">
                <Radio value="theirs" label={t("request.stale.theirs")} />
                <Value type={type} field={field} value={theirs} against={mine} />
              </div>
            </div>
            {(isText(mine) || isText(theirs)) && <Radio value="edited" label={t("request.stale.edit")} mt="xs" />}
          </Radio.Group>
          {choices[field] === "edited" && (
            <Textarea
              autosize
              minRows={3}
              aria-label={fieldLabel(field)}
              value={texts[field] ?? String(mine ?? "")}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change((was) => ({ texts: { ...was.texts, [field]: value } }));
              }}
            />
          )}
        </fieldset>
      ))}
      <div className="dialog-actions">
        <Button
          variant="default"
          onClick={() => {
            draft.remove();
            onAnswer(null);
          }}
        >
          {t("request.stale.leave")}
        </Button>
        <Button onClick={apply} data-autofocus>
          {t("request.stale.apply")}
        </Button>
      </div>
    </Dialog>
  );
}

type ValueProps = { type: RecordType; field: string; value: unknown; against: unknown };

/** Long texts highlight their difference from the other version. */
function Value({ type, field, value, against }: ValueProps) {
  const declared = type.fields[field];
  if (isText(value) && typeof against === "string")
    return (
      <span className="collision-value">
        {diffWordsWithSpace(against, value)
          .filter((part) => !part.removed)
          .map((part, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text keep their order
            part.added ? <mark key={at}>{part.value}</mark> : <span key={at}>{part.value}</span>,
          )}
      </span>
    );
  return (
    <span className="collision-value">
      {declared === undefined || value === null || value === undefined ? (
        <span className="quiet">{t("request.none")}</span>
      ) : (
        <FieldValue name={field} field={declared} row={{ id: 0, [field]: value }} />
      )}
    </span>
  );
}
