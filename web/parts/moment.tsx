import { dateTimeIn } from "../formats.ts";
import { t } from "../languages/index.ts";
import { useHere } from "../session.ts";

/** A moment from /session-api, in the zone of the reader. */
export function Moment({ at }: { at: string | null }) {
  const { who } = useHere();
  if (at === null) return <>{t("tokens.never")}</>;
  return <time dateTime={at}>{dateTimeIn(at, who.person.time_zone)}</time>;
}
