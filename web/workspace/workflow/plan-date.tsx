import { formatExact } from "../../base/moments.ts";
import { tip } from "../../elements/tip.tsx";
import { useNow } from "../../parts/now.ts";
import { formatDayAndClock } from "../../parts/precise-moments.ts";

/** A date of a plan is named in full, because a plan mixes what is over with what is to come. */
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
