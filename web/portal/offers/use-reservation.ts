import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { ReservationOffers } from "../../../records/answers/portal-offers.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type Api, ApiError } from "../../api/index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { portalFormQueries } from "../../queries/portal/forms.ts";
import { portalReservationQueries } from "../../queries/portal/offers.ts";
import type { AnswersHandle } from "../form/extension-answers.tsx";
import { describeError, showError, showMessage } from "../frame/toasts.tsx";
import { useRefresh } from "../queries.ts";
import { t } from "../words.ts";
import { toDate } from "./dates.ts";

/** `takenAt`: the start of another person's next reservation; null: none within the reservable period */
export type Slot = { item: { id: number; name: string }; from: number; until: number; takenAt: number | null };
export type Offer = ReservationOffers["offers"][number];

const minute = 60_000;
export const repeats = ["never", "day", "week"] as const;

export type ReservationValues = {
  from: number;
  /** The last day, for offers over several days. */
  lastDay: string;
  /** The end chosen last. It may no longer fit the start. */
  wanted: number;
  name: string;
  repeat: (typeof repeats)[number];
  repeatUntil: string;
  template: number | null;
};

/** The moments from the first to the last in the offer's steps. */
const listSteps = ({ step_duration }: Offer, first: number, last: number): number[] => {
  const step = Math.max(1, step_duration) * minute;
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => first + index * step);
};

/** The possible starts and ends of a reservation. */
function useTimes(offer: Offer, slot: Slot, { from, lastDay, wanted }: ReservationValues) {
  const { api } = useCurrentAccount();
  const latestEnd = Math.min(slot.takenAt ?? Number.POSITIVE_INFINITY, from + offer.max_duration * minute);
  const shortest = offer.multi_day ? offer.step_duration : offer.min_duration;
  const isOtherDay = offer.multi_day && lastDay !== toDate(slot.from);
  const otherDay = useQuery({
    ...portalReservationQueries.free(api, offer.id, lastDay),
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
  const starts = listSteps(offer, slot.from, slot.until - shortest * minute);
  return { starts, ends, until: ends.includes(wanted) ? wanted : (ends[0] ?? null), latestEnd };
}

type Answers = Readonly<Record<string, unknown>>;

const reserve = (api: Api, offer: Offer, slot: Slot, values: ReservationValues, until: number, answers: Answers) =>
  api.call(
    "POST /portal/reservations",
    {},
    {
      offering: offer.id,
      ci: slot.item.id,
      start_at: new Date(values.from).toISOString(),
      end_at: new Date(until).toISOString(),
      name: values.name.trim(),
      ...(values.template === null ? {} : { template: values.template, custom_fields: answers }),
      ...(values.repeat === "never" ? {} : { repeat: { every: values.repeat, until: values.repeatUntil } }),
    },
  );

/** State of the form that reserves an item in a free period. */
export function useReservation(offer: Offer, slot: Slot, onDone: () => void) {
  const { api } = useCurrentAccount();
  const refreshRequests = useRefresh();
  const draftKey = `portal/reserve/${offer.id}/${slot.item.id}/${slot.from}`;
  const { values, change, draft } = useFormDraft<ReservationValues>(draftKey, {
    from: slot.from,
    lastDay: toDate(slot.from),
    wanted: slot.from + offer.min_duration * minute,
    name: "",
    repeat: "never",
    repeatUntil: toDate(slot.from + 28 * 24 * 60 * minute),
    template: offer.templates[0]?.id ?? null,
  });
  const { template, repeat } = values;
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const answers = useRef<AnswersHandle>(null);
  const form = useQuery({ ...portalFormQueries.form(api, template), enabled: template !== null });
  const times = useTimes(offer, slot, values);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { until } = times;
    if (values.name.trim() === "") return setProblem(t("whyMissing"));
    if (until === null) return setProblem(t("reserve.taken"));
    const formAnswers = template === null ? {} : (answers.current?.check() ?? null);
    if (formAnswers === null) return;
    setBusy(true);
    try {
      const { status, count, request } = await reserve(api, offer, slot, values, until, formAnswers);
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
  const setName = (name: string) => {
    change({ name });
    setProblem(null);
  };
  return { values, change, setName, draftKey, problem, answers, form: form.data, times, onSubmit, busy };
}

export type Reservation = ReturnType<typeof useReservation>;
