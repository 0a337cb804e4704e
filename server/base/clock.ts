/** The only source of the current time, so that tests can move it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

const keptTexts = 64;
const texts = new Map<number, string>();

/** The stored form of a moment, "2031-02-01T08:00:00Z". A column would round fractions up, into the future. */
export function toTimestamp(date: Date): string {
  const second = Math.floor(date.getTime() / 1000);
  // A save writes the same few moments into many places.
  let text = texts.get(second);
  if (text === undefined) {
    text = `${date.toISOString().slice(0, 19)}Z`;
    if (texts.size >= keptTexts) texts.clear();
    texts.set(second, text);
  }
  return text;
}
