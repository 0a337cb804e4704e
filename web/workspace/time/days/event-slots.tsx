import { Link } from "../../../elements/link.tsx";
import type { Absence, CalendarEvent } from "../calendar-event.ts";
import type { Slot } from "./place-events.ts";

/** The events of a day, one below the other. Longer ones are rendered over the following days. */
export const EventSlots = ({ slots, onOpen }: { slots: readonly Slot[]; onOpen(absence: Absence): void }) =>
  slots.map((slot, row) =>
    "gap" in slot ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a gap is identified by its row
      <li key={row} className="calendar-gap" aria-hidden={slot.gap === "" || undefined}>
        <span className="spoken">{slot.gap}</span>
      </li>
    ) : (
      <li
        key={slot.event.key}
        className="calendar-event"
        data-kind={slot.event.kind}
        data-over={slot.days > 1 || undefined}
        data-before={slot.beginsBefore || undefined}
        data-after={slot.endsAfter || undefined}
        title={slot.event.label}
        style={slot.days > 1 ? { "--over": slot.days } : undefined}
      >
        <EventName event={slot.event} onOpen={onOpen} />
      </li>
    ),
  );

/** The name of an event, with its link. */
export function EventName({ event, onOpen }: { event: CalendarEvent; onOpen(absence: Absence): void }) {
  const { label, path, absence } = event;
  if (absence !== undefined)
    return (
      <button type="button" onClick={() => onOpen(absence)}>
        {label}
      </button>
    );
  return path === null ? label : <Link to={path}>{label}</Link>;
}
