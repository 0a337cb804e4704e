import { formatExact, formatNear } from "../base/moments.ts";
import { tip } from "../elements/tip.tsx";
import { t } from "../languages/index.ts";
import { useNow } from "./now.ts";

/** A moment in the reader's zone, shorter the nearer it is; the full date on hover. */
export function Timestamp({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <>{t("tokens.never")}</>;
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return <>{at}</>;
  return (
    <time dateTime={at} {...tip(formatExact(moment))}>
      {formatNear(moment, now)}
    </time>
  );
}
