/** "90", "1:30", "1.5 h", "1,5 u" and "1,5 Std." are 90 minutes; null: the text is not a duration. */
export function parseMinutes(text: string): number | null {
  const normalized = text
    .trim()
    .toLowerCase()
    .replace(",", ".")
    .replace(/(?<=\d\s*)(?:u|uur|std\.?)(?=\s*\d|$)/, "h"); // the hour in Dutch and German
  const clock = /^(\d{1,2}):([0-5]\d)$/.exec(normalized);
  if (clock !== null) return Number(clock[1]) * 60 + Number(clock[2]);
  const both = /^(\d{1,2})\s*h\s*(\d{1,2})\s*(?:m|min)?$/.exec(normalized);
  if (both !== null) return Number(both[1]) * 60 + Number(both[2]);
  const hours = /^(\d{1,2}(?:\.\d+)?)\s*h$/.exec(normalized);
  if (hours !== null) return Math.round(Number(hours[1]) * 60);
  const minutes = /^(\d{1,4})\s*(?:m|min)?$/.exec(normalized);
  if (minutes !== null) return Number(minutes[1]);
  const fraction = /^\d{1,2}\.\d+$/.exec(normalized);
  return fraction === null ? null : Math.round(Number(normalized) * 60);
}
