import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { portalApi } from "../../api/portal.ts";
import { ApiError, type PortalReservations } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { formatClock } from "../../moments.ts";
import { type AnswersHandle, ExtensionAnswers } from "../form/extension-answers.tsx";
import { describeError, showError, showMessage } from "../frame/toasts.tsx";
import { useRefresh } from "../queries.ts";
import { t } from "../words.ts";
import { toDate } from "./dates.ts";

/** `takenAt`: when somebody else needs the item next; null: not in the time that it could be reserved for */
export type Slot = { item: { id: number; name: string }; from: number; until: number; takenAt: number | null };
type Offer = PortalReservations["offers"][number];

const minute = 60_000;
const repeats = ["never", "day", "week"] as const;

/** The moments from the first to the last in steps of the offer. */
const listSteps = ({ step_duration }: Offer, first: number, last: number): number[] => {
  const step = Math.max(1, step_duration) * minute;
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => first + index * step);
};

/** From when until when, within a free period or over several days, and what for. */
export function ReserveForm({ offer, slot, onDone }: { offer: Offer; slot: Slot; onDone(): void }) {
  const { account } = useCurrentAccount();
  const refreshRequests = useRefresh();
  const draftKey = `portal/reserve/${offer.id}/${slot.item.id}/${slot.from}`;
  const { values, change, draft } = useFormDraft(draftKey, {
    from: slot.from,
    lastDay: toDate(slot.from),
    wanted: slot.from + offer.min_duration * minute,
    name: "",
    repeat: "never" as (typeof repeats)[number],
    repeatUntil: toDate(slot.from + 28 * 24 * 60 * minute),
    template: offer.templates[0]?.id ?? null,
  });
  const { from, lastDay, wanted, name, repeat, repeatUntil, template } = values;
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const answers = useRef<AnswersHandle>(null);
  const id = useId();
  const form = useQuery({
    queryKey: [account.id, "form", String(template)],
    queryFn: () => portalApi(account.id).form(String(template)),
    enabled: template !== null,
    staleTime: 300_000,
  });

  const latestEnd = Math.min(slot.takenAt ?? Number.POSITIVE_INFINITY, from + offer.max_duration * minute);
  const starts = listSteps(
    offer,
    slot.from,
    slot.until - (offer.multi_day ? offer.step_duration : offer.min_duration) * minute,
  );
  const isOtherDay = offer.multi_day && lastDay !== toDate(slot.from);
  const otherDay = useQuery({
    queryKey: [account.id, "free", offer.id, lastDay],
    queryFn: () => portalApi(account.id).freeTimes(offer.id, lastDay),
    enabled: isOtherDay && lastDay !== "",
  });
  const endsOn = (period: { from: number; until: number }): number[] =>
    listSteps(offer, period.from, period.until).filter(
      (end) => end > period.from && end >= from + offer.min_duration * minute && end <= latestEnd,
    );
  const ends = isOtherDay
    ? (otherDay.data?.items.find((item) => item.id === slot.item.id)?.free ?? []).flatMap((period) =>
        endsOn({ from: Date.parse(period.from), until: Date.parse(period.until) }),
      )
    : endsOn({ from, until: slot.until });
  const until = ends.includes(wanted) ? wanted : (ends[0] ?? null);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setProblem(t("whyMissing"));
    if (until === null) return setProblem(t("reserve.taken"));
    const given = template === null ? {} : (answers.current?.check() ?? null);
    if (given === null) return;
    setBusy(true);
    try {
      const { status, count, request } = await portalApi(account.id).reserve({
        offering: offer.id,
        ci: slot.item.id,
        start_at: new Date(from).toISOString(),
        end_at: new Date(until).toISOString(),
        name: name.trim(),
        ...(template === null ? {} : { template, custom_fields: given }),
        ...(repeat === "never" ? {} : { repeat: { every: repeat, until: repeatUntil } }),
      });
      draft.remove();
      answers.current?.removeDraft();
      if (request !== null) void refreshRequests();
      const done = count > 1 ? t("reserve.doneMany", { count }) : t("reserve.done");
      showMessage(status === "pending" ? t("reserve.pending") : done);
      onDone();
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError) || error.status !== 422) return showError(error);
      setProblem(repeat === "never" ? t("reserve.taken") : describeError(error));
    }
  };
  const field = (key: string, label: string, input: ReactNode) => (
    <div className="field">
      <label className="label" htmlFor={`${id}-${key}`}>
        {label}
      </label>
      {input}
    </div>
  );
  const times = (
    key: string,
    label: string,
    value: number | null,
    options: readonly number[],
    set: (at: number) => void,
  ) =>
    field(
      key,
      label,
      <select
        id={`${id}-${key}`}
        className="input"
        value={value ?? ""}
        onChange={(event) => set(Number(event.currentTarget.value))}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {formatClock(each)}
          </option>
        ))}
      </select>,
    );
  const day = (key: string, label: string, value: string, set: (date: string) => void) =>
    field(
      key,
      label,
      <input
        id={`${id}-${key}`}
        className="input"
        type="date"
        value={value}
        min={toDate(slot.from)}
        max={key === "last" && Number.isFinite(latestEnd) ? toDate(latestEnd) : undefined}
        onChange={(event) => set(event.currentTarget.value)}
      />,
    );
  return (
    <form className="reserve-form" onSubmit={onSubmit} noValidate aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t("reserve.chosen", { name: slot.item.name })}</h3>
      <div className="field-row">
        {times("from", t("reserve.from"), from, starts, (at) => change({ from: at }))}
        {offer.multi_day && day("last", t("reserve.untilDay"), lastDay, (date) => change({ lastDay: date }))}
        {times("until", t("reserve.until"), until, ends, (at) => change({ wanted: at }))}
      </div>
      {offer.allow_repeat && (
        <div className="field-row">
          {field(
            "repeat",
            t("reserve.repeat"),
            <select
              id={`${id}-repeat`}
              className="input"
              value={repeat}
              onChange={(event) =>
                change({ repeat: repeats.find((each) => each === event.currentTarget.value) ?? "never" })
              }
            >
              {repeats.map((each) => (
                <option key={each} value={each}>
                  {t(`reserve.repeat.${each}`)}
                </option>
              ))}
            </select>,
          )}
          {repeat !== "never" &&
            day("repeat-until", t("reserve.lastDay"), repeatUntil, (date) => change({ repeatUntil: date }))}
        </div>
      )}
      {field(
        "name",
        t("reserve.name"),
        <input
          id={`${id}-name`}
          className="input"
          maxLength={128}
          value={name}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          onChange={(event) => {
            change({ name: event.currentTarget.value });
            setProblem(null);
          }}
        />,
      )}
      {offer.templates.length > 1 &&
        field(
          "template",
          t("reserve.template"),
          <select
            id={`${id}-template`}
            className="input"
            value={template ?? ""}
            onChange={(event) => change({ template: Number(event.currentTarget.value) })}
          >
            {offer.templates.map((each) => (
              <option key={each.id} value={each.id}>
                {each.localized_subject}
              </option>
            ))}
          </select>,
        )}
      {form.data !== undefined && (
        <ExtensionAnswers key={template} ref={answers} form={form.data} draftKey={`${draftKey}/${template}`} />
      )}
      {problem !== null && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {problem}
        </p>
      )}
      <button
        type="submit"
        className="button primary"
        disabled={busy || (template !== null && form.data === undefined)}
      >
        {t("reserve.now")}
      </button>
    </form>
  );
}
