/** A target: minutes within the support hours, or business days. */
export type TargetValue = { minutes: number | null; days: number | null };

// "Tage", "dagen", "jours", "días" begin with these letters; a bare number means minutes.
const daysText = /^(\d{1,3})\s*(?:d|t|j)\p{L}*\.?$/u;
const hoursText = /^(\d{1,5})\s*(?:h|u|s)\p{L}*\.?(?:\s*(\d{1,2})\s*(?:m\p{L}*\.?)?)?$/u;
const clockText = /^(\d{1,5}):([0-5]\d)$/;
const minutesText = /^(\d{1,6})\s*(?:m\p{L}*\.?)?$/u;

/** Parses the text of a cell: "1 h 30", "1:30", "90", "3 days"; null: invalid. */
export function parseTarget(typed: string): TargetValue | null {
  const text = typed.trim().toLowerCase();
  if (text === "") return { minutes: null, days: null };
  const days = daysText.exec(text);
  if (days !== null) return Number(days[1]) > 0 ? { minutes: null, days: Number(days[1]) } : null;
  const [, hours, rest = "0"] = hoursText.exec(text) ?? clockText.exec(text) ?? [];
  if (hours !== undefined) return { minutes: Number(hours) * 60 + Number(rest), days: null };
  const minutes = minutesText.exec(text);
  return minutes === null ? null : { minutes: Number(minutes[1]), days: null };
}
