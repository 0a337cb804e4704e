/** The ticks of an axis from 0 to at least the highest value: about four, at round numbers. */
export function buildTicks(greatest: number, isWhole = true): number[] {
  const rough = Math.max(greatest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 1.5, 2, 2.5, 5, 10]
      .map((factor) => factor * power)
      .find((each) => each >= rough && (!isWhole || each % 1 === 0)) ?? Math.ceil(rough);
  const ticks = [0];
  for (let last = 0; last < greatest; ) {
    last += step;
    ticks.push(last);
  }
  return ticks.length === 1 ? [0, step] : ticks;
}

/** Ticks for minutes are at whole hours. */
export const buildMinuteTicks = (greatest: number): number[] => buildTicks(greatest / 60).map((hours) => hours * 60);
