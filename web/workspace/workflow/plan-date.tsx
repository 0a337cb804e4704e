import { formatExact } from "../../base/moments.ts";
import { tip } from "../../elements/tip.tsx";
import { useNow } from "../../parts/now.ts";
import { formatDayAndClock } from "../../parts/precise-moments.ts";

/** Dates of a plan are written in full, because a plan mixes past and future dates. */
export function PlanDate({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return null;
  const moment = Date.parse(at);
  return (
    <time dateTime={at} {...tip(formatExact(moment))}>
      {formatDayAndClock(moment, now)}
    </time>
  );
}
