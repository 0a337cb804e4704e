import { t } from "../../../languages/index.ts";
import { Duration } from "../../../parts/duration.tsx";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { PersonName } from "../../../parts/people/person-name.tsx";
import { Timestamp } from "../../../parts/timestamp.tsx";
import type { TimeEntryRow } from "../../../queries/record-page.ts";

/** The people who spent time on it, with their time. */
export function TimeEntries({ entries }: { entries: readonly TimeEntryRow[] }) {
  if (entries.length === 0) return <EmptyState title={t("request.empty.time")} />;
  const total = entries.reduce((sum, entry) => sum + entry.time_spent, 0);
  return (
    <table className="time-table">
      <thead>
        <tr>
          <th scope="col">{t("request.time.person")}</th>
          <th scope="col">{t("request.time.when")}</th>
          <th scope="col" className="time-end">
            {t("request.time.spent")}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <PersonName person={entry.person} />
            </td>
            <td className="quiet">
              <Timestamp at={String(entry.created_at ?? entry.date)} />
            </td>
            <td className="time-end numbers">
              <Duration minutes={entry.time_spent} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t("request.time.total")}
          </th>
          <td className="time-end numbers">
            <Duration minutes={total} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
