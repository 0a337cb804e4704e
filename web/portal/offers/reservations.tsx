import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FreeTimes, ReservationOffers } from "../../../records/answers/portal-offers.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatAhead, formatClock } from "../../base/moments.ts";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { useNow } from "../../parts/now.ts";
import { portalReservationQueries } from "../../queries/portal/offers.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { t } from "../words.ts";
import { toDate } from "./dates.ts";
import { ReserveForm } from "./reserve-form.tsx";
import type { Slot } from "./use-reservation.ts";

/** Reservable items, their free periods, and the person's own reservations. */
export function ReservationsPage() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  useTitle(t("nav.reservations"));
  const { data, error, refetch } = useQuery(portalReservationQueries.offers(api));
  const [chosen, setChosen] = useState<number | null>(null);
  const [date, setDate] = useState(() => toDate(now));
  const [slot, setSlot] = useState<Slot | null>(null);
  const offer = data?.offers.find(({ id }) => id === chosen) ?? data?.offers[0];
  const free = useQuery({
    ...portalReservationQueries.free(api, offer?.id, date),
    enabled: offer !== undefined && date !== "",
    staleTime: 0,
  });
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: portalReservationQueries.offers(api).queryKey }),
      queries.invalidateQueries({ queryKey: portalReservationQueries.allFree(api) }),
    ]);
  const items = (free.data?.items ?? []).filter((item) => item.free.length > 0);
  return (
    <div className="reservations">
      <h1>{t("nav.reservations")}</h1>
      {offer === undefined ? (
        <p className="quiet">{t("reserve.none")}</p>
      ) : (
        <section className="panel form">
          <OfferAndDay
            offers={data.offers}
            offer={offer}
            date={date}
            onOffer={(id) => {
              setChosen(id);
              setSlot(null);
            }}
            onDate={(day) => {
              setDate(day);
              setSlot(null);
            }}
          />
          <h2>{t("reserve.free")}</h2>
          {free.data === undefined && free.error === null && <Loading rows={2} />}
          {free.error !== null && <ErrorPanel error={free.error} retry={() => void free.refetch()} />}
          {free.data !== undefined && items.length === 0 && <p className="quiet">{t("reserve.nothingFree")}</p>}
          <FreeItems offer={offer} items={items} slot={slot} onSlot={setSlot} />
          {slot !== null && (
            <ReserveForm
              key={`${slot.item.id} ${slot.from}`}
              offer={offer}
              slot={slot}
              onDone={() => {
                setSlot(null);
                void refresh();
              }}
            />
          )}
        </section>
      )}
      {data.own.length > 0 && <OwnReservations own={data.own} onChange={() => void refresh()} />}
    </div>
  );
}

type OfferProps = {
  offers: ReservationOffers["offers"];
  offer: ReservationOffers["offers"][number];
  date: string;
  onOffer(id: number): void;
  onDate(day: string): void;
};

function OfferAndDay({ offers, offer, date, onOffer, onDate }: OfferProps) {
  const now = useNow();
  return (
    <div className="field-row">
      <div className="field">
        <label className="label" htmlFor="reserve-what">
          {t("reserve.what")}
        </label>
        <select
          id="reserve-what"
          className="input"
          value={offer.id}
          onChange={(event) => onOffer(Number(event.currentTarget.value))}
        >
          {offers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label className="label" htmlFor="reserve-day">
          {t("reserve.day")}
        </label>
        <input
          id="reserve-day"
          className="input"
          type="date"
          value={date}
          min={toDate(now)}
          onChange={(event) => onDate(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

type FreeProps = {
  offer: ReservationOffers["offers"][number];
  items: FreeTimes["items"];
  slot: Slot | null;
  onSlot(slot: Slot): void;
};

function FreeItems({ offer, items, slot, onSlot }: FreeProps) {
  return (
    <ul className="free-items">
      {items.map((item) => (
        <li key={item.id}>
          <b>{item.name}</b> <span className="quiet">{describeItem(offer, item.id)}</span>
          <span className="free-periods">
            {item.free.map((period) => {
              const [from, until] = [Date.parse(period.from), Date.parse(period.until)];
              const times = `${formatClock(from)} – ${formatClock(until)}`;
              return (
                <button
                  key={period.from}
                  type="button"
                  className="button"
                  aria-label={`${item.name}, ${times}`}
                  aria-pressed={slot?.item.id === item.id && slot.from === from}
                  onClick={() =>
                    onSlot({
                      item,
                      from,
                      until,
                      takenAt: period.taken_at === null ? null : Date.parse(period.taken_at),
                    })
                  }
                >
                  {times}
                </button>
              );
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Items may have the same name: label and place tell them apart. */
const describeItem = (offer: ReservationOffers["offers"][number], id: number): string => {
  const item = offer.items.find((each) => each.id === id);
  return [item?.label, item?.location].filter(Boolean).join(" · ");
};

function OwnReservations({ own, onChange }: { own: ReservationOffers["own"]; onChange(): void }) {
  const { api } = useCurrentAccount();
  const cancel = async (id: number) => {
    try {
      await api.call("DELETE /portal/reservations/:id", { id });
      showMessage(t("reserve.canceled"));
      onChange();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <section aria-labelledby="own-reservations">
      <h2 id="own-reservations" className="section-title">
        {t("reserve.own")}
      </h2>
      <ul className="rows panel">
        {own.map((reservation) => (
          <RowBoundary key={reservation.id} row={reservation}>
            {() => <OwnReservation reservation={reservation} onCancel={() => void cancel(reservation.id)} />}
          </RowBoundary>
        ))}
      </ul>
    </section>
  );
}

type OwnProps = { reservation: ReservationOffers["own"][number]; onCancel(): void };

function OwnReservation({ reservation: { name, ci, start_at, end_at, status }, onCancel }: OwnProps) {
  const now = useNow();
  return (
    <li className="row">
      <span className="row-text">
        <span className="row-title">{name}</span>
        <span className="row-state quiet">
          {[
            ci?.name,
            `${formatAhead(Date.parse(start_at), now)} – ${formatEnd(start_at, end_at, now)}`,
            ["pending", "provisional"].includes(status) && t("reserve.waiting"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <button type="button" className="button" aria-label={t("reserve.cancelWhat", { name })} onClick={onCancel}>
        {t("reserve.cancel")}
      </button>
    </li>
  );
}

/** On the same day only the time is shown. */
const formatEnd = (start: string, end: string, now: number): string =>
  toDate(Date.parse(start)) === toDate(Date.parse(end))
    ? formatClock(Date.parse(end))
    : formatAhead(Date.parse(end), now);
