import { type FormEvent, useId, useState } from "react";
import { portalApi } from "../../api/portal.ts";
import { ApiError, type PortalReservations } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { formatClock } from "../../moments.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { t } from "../words.ts";

export type Slot = { item: { id: number; name: string }; from: number; until: number };
type Offer = PortalReservations["offers"][number];

const minute = 60_000;

/** From when until when, within a free period, and what for. */
export function ReserveForm({ offer, slot, onDone }: { offer: Offer; slot: Slot; onDone(): void }) {
  const { account } = useCurrentAccount();
  const [from, setFrom] = useState(slot.from);
  const [wanted, setUntil] = useState(slot.from + offer.min_duration * minute);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const step = Math.max(1, offer.step_duration) * minute;
  const list = (first: number, last: number) =>
    Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => first + index * step);
  const starts = list(slot.from, slot.until - offer.min_duration * minute);
  const ends = list(from + offer.min_duration * minute, Math.min(slot.until, from + offer.max_duration * minute));
  const until = ends.includes(wanted) ? wanted : (ends[0] ?? slot.until);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setProblem(t("whyMissing"));
    setBusy(true);
    try {
      const { status } = await portalApi(account.id).reserve({
        offering: offer.id,
        ci: slot.item.id,
        start_at: new Date(from).toISOString(),
        end_at: new Date(until).toISOString(),
        name: name.trim(),
      });
      showMessage(t(status === "pending" ? "reserve.pending" : "reserve.done"));
      onDone();
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.status === 422) setProblem(t("reserve.taken"));
      else showError(error);
    }
  };
  const choose = (label: string, key: string, value: number, options: readonly number[], set: (at: number) => void) => (
    <div className="field">
      <label className="label" htmlFor={`${id}-${key}`}>
        {label}
      </label>
      <select
        id={`${id}-${key}`}
        className="input"
        value={value}
        onChange={(event) => set(Number(event.currentTarget.value))}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {formatClock(each)}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form className="reserve-form" onSubmit={onSubmit} noValidate aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t("reserve.chosen", { name: slot.item.name })}</h3>
      {choose(t("reserve.from"), "from", from, starts, setFrom)}
      {choose(t("reserve.until"), "until", until, ends, setUntil)}
      <div className="field">
        <label className="label" htmlFor={`${id}-name`}>
          {t("reserve.name")}
        </label>
        <input
          id={`${id}-name`}
          className="input"
          maxLength={128}
          value={name}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
        />
        {problem !== null && (
          <p className="field-error" id={`${id}-error`} role="alert">
            {problem}
          </p>
        )}
      </div>
      <button type="submit" className="button primary" disabled={busy}>
        {t("reserve.now")}
      </button>
    </form>
  );
}
