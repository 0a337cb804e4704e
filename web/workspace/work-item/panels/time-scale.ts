// The positions of moments on a time axis, and its day labels.

const day = 86_400_000;

export type TimeScale = {
  /** percent from the start */
  place(at: number): number;
  marks: readonly { at: number; place: number }[];
};

/** Covers the given moments with a margin; marks are at days, weeks or months, so that there are about eight. */
export function buildTimeScale(moments: readonly number[], now: number): TimeScale {
  const all = [...moments, now];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const margin = Math.max(day, (most - least) * 0.04);
  const [from, until] = [least - margin, most + margin];
  const place = (at: number) => ((at - from) / (until - from)) * 100;
  return { place, marks: listMarks(from, until).map((at) => ({ at, place: place(at) })) };
}

function listMarks(from: number, until: number): number[] {
  const days = (until - from) / day;
  const marks: number[] = [];
  if (days > 70) {
    const step = Math.ceil(days / 30 / 8);
    const first = new Date(from);
    for (let month = 1; ; month += step) {
      const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1);
      if (at >= until) return marks;
      marks.push(at);
    }
  }
  const step = days > 12 ? 7 : Math.max(1, Math.ceil(days / 8));
  for (let at = Math.ceil(from / day) * day; at < until; at += step * day) marks.push(at);
  return marks;
}
