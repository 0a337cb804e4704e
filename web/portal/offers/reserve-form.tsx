import { type ReactNode, useId } from "react";
import { formatClock } from "../../base/moments.ts";
import { ExtensionAnswers } from "../form/extension-answers.tsx";
import { t } from "../words.ts";
import { toDate } from "./dates.ts";
import { type Offer, type Reservation, repeats, type Slot, useReservation } from "./use-reservation.ts";

/** The period, within a free one or over several days, and the purpose. */
export function ReserveForm({ offer, slot, onDone }: { offer: Offer; slot: Slot; onDone(): void }) {
  const state = useReservation(offer, slot, onDone);
  const { values, problem, form } = state;
  const id = useId();
  return (
    <form className="reserve-form" onSubmit={state.onSubmit} noValidate aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t("reserve.chosen", { name: slot.item.name })}</h3>
      <PeriodFields state={state} offer={offer} slot={slot} id={id} />
      {offer.allow_repeat && <RepeatFields state={state} slot={slot} id={id} />}
      <Field id={`${id}-name`} label={t("reserve.name")}>
        <input
          id={`${id}-name`}
          className="input"
          maxLength={128}
          value={values.name}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          onChange={(event) => state.setName(event.currentTarget.value)}
        />
      </Field>
      {offer.templates.length > 1 && <TemplateField state={state} offer={offer} id={id} />}
      {form !== undefined && (
        <ExtensionAnswers
          key={values.template}
          ref={state.answers}
          form={form}
          draftKey={`${state.draftKey}/${values.template}`}
        />
      )}
      {problem !== null && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {problem}
        </p>
      )}
      <button
        type="submit"
        className="button primary"
        disabled={state.busy || (values.template !== null && form === undefined)}
      >
        {t("reserve.now")}
      </button>
    </form>
  );
}

function Field({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}

type FieldsProps = { state: Reservation; slot: Slot; id: string };

function PeriodFields({ state, offer, slot, id }: FieldsProps & { offer: Offer }) {
  const { values, change, times } = state;
  const { latestEnd } = times;
  return (
    <div className="field-row">
      <TimeField
        id={`${id}-from`}
        label={t("reserve.from")}
        value={values.from}
        options={times.starts}
        onChange={(from) => change({ from })}
      />
      {offer.multi_day && (
        <DayField
          id={`${id}-last`}
          label={t("reserve.untilDay")}
          value={values.lastDay}
          first={toDate(slot.from)}
          last={Number.isFinite(latestEnd) ? toDate(latestEnd) : undefined}
          onChange={(lastDay) => change({ lastDay })}
        />
      )}
      <TimeField
        id={`${id}-until`}
        label={t("reserve.until")}
        value={times.until}
        options={times.ends}
        onChange={(wanted) => change({ wanted })}
      />
    </div>
  );
}

type TimeProps = {
  id: string;
  label: string;
  value: number | null;
  options: readonly number[];
  onChange(at: number): void;
};

function TimeField({ id, label, value, options, onChange }: TimeProps) {
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        className="input"
        value={value ?? ""}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {formatClock(each)}
          </option>
        ))}
      </select>
    </Field>
  );
}

type DayProps = {
  id: string;
  label: string;
  value: string;
  first: string;
  last?: string | undefined;
  onChange(day: string): void;
};

function DayField({ id, label, value, first, last, onChange }: DayProps) {
  return (
    <Field id={id} label={label}>
      <input
        id={id}
        className="input"
        type="date"
        value={value}
        min={first}
        max={last}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

function RepeatFields({ state: { values, change }, slot, id }: FieldsProps) {
  return (
    <div className="field-row">
      <Field id={`${id}-repeat`} label={t("reserve.repeat")}>
        <select
          id={`${id}-repeat`}
          className="input"
          value={values.repeat}
          onChange={({ currentTarget: { value } }) =>
            change({ repeat: repeats.find((each) => each === value) ?? "never" })
          }
        >
          {repeats.map((each) => (
            <option key={each} value={each}>
              {t(`reserve.repeat.${each}`)}
            </option>
          ))}
        </select>
      </Field>
      {values.repeat !== "never" && (
        <DayField
          id={`${id}-repeat-until`}
          label={t("reserve.lastDay")}
          value={values.repeatUntil}
          first={toDate(slot.from)}
          onChange={(repeatUntil) => change({ repeatUntil })}
        />
      )}
    </div>
  );
}

function TemplateField({ state: { values, change }, offer, id }: Omit<FieldsProps, "slot"> & { offer: Offer }) {
  return (
    <Field id={`${id}-template`} label={t("reserve.template")}>
      <select
        id={`${id}-template`}
        className="input"
        value={values.template ?? ""}
        onChange={(event) => change({ template: Number(event.currentTarget.value) })}
      >
        {offer.templates.map((each) => (
          <option key={each.id} value={each.id}>
            {each.localized_subject}
          </option>
        ))}
      </select>
    </Field>
  );
}
