import { useCurrentAccount } from "../current-account.ts";
import { formatDateTimeIn } from "../formats.ts";
import { t } from "../languages/index.ts";

/** A moment from /session-api, in the zone of the reader. */
export function Timestamp({ at }: { at: string | null }) {
  const { who } = useCurrentAccount();
  if (at === null) return <>{t("tokens.never")}</>;
  return <time dateTime={at}>{formatDateTimeIn(at, who.person.time_zone)}</time>;
}
