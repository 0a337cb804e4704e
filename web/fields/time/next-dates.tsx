import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { readerZone } from "../../base/moments.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { recurrenceQueries } from "../../queries/parts/recurrences.ts";
import { describeRecurrence } from "./recurrence-sentence.ts";

const shown = 6;

/** Explains a recurrence: a sentence, and the next moments as calculated by the server. */
export function NextDates({ recurrence }: { recurrence: unknown }) {
  const { api } = useCurrentAccount();
  const [settled] = useDebouncedValue(JSON.stringify(recurrence), 250);
  const { data } = useQuery(recurrenceQueries.next(api, settled, shown));
  if (data === undefined || data.problem !== null) return null;
  const sentence = describeRecurrence(JSON.parse(settled));
  const format = new Intl.DateTimeFormat(currentLocale(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: readerZone(),
  });
  return (
    <section className="next-dates" aria-label={t("recurrence.next")}>
      {sentence !== null && <p>{sentence}</p>}
      <b>{t("recurrence.next")}</b>
      {data.occurrences.length === 0 ? (
        <p className="quiet">{t("recurrence.none")}</p>
      ) : (
        <ol className="plain-list numbers">
          {data.occurrences.map((at) => (
            <li key={at}>
              <time dateTime={at}>{format.format(Date.parse(at))}</time>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
