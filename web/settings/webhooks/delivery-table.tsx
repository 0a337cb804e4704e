import { Checkbox } from "@mantine/core";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { AccountDelivery, Delivery } from "../../api/webhooks.ts";
import { formatExact } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { findType, hasList } from "../../base/record-types.ts";
import { Link } from "../../elements/link.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { formatSecond } from "../../parts/precise-moments.ts";
import { Timestamp } from "../../parts/timestamp.tsx";
import { formatTook } from "./durations.ts";
import { StateWord } from "./state-badge.tsx";

type Props = {
  rows: readonly AccountDelivery[];
  /** the delivery shown beside the list */
  chosen: number | undefined;
  onChoose(id: number): void;
  /** the deliveries to redeliver together; undefined: none can be marked */
  marks?: { marked: ReadonlySet<number>; mark(id: number, wanted: boolean): void };
};

/** Sent messages, newest first. */
export function DeliveryTable({ rows, chosen, onChoose, marks }: Props) {
  const now = useNow();
  return (
    <table className="log-table delivery-table" data-marking={(marks?.marked.size ?? 0) > 0 || undefined}>
      <caption className="spoken">{t("webhooks.deliveries")}</caption>
      <thead>
        <tr>
          {marks !== undefined && (
            <th className="log-mark">
              <span className="spoken">{t("webhooks.choose")}</span>
            </th>
          )}
          <th>{t("webhooks.state")}</th>
          <th>{t("webhooks.event")}</th>
          <th className="log-wide">{t("webhooks.record")}</th>
          <th>{t("webhooks.answer")}</th>
          <th className="log-wide">{t("webhookOverview.took")}</th>
          <th className="log-wide">{t("webhooks.tries")}</th>
          <th className="log-wide log-next">{t("webhooks.nextTry")}</th>
          <th className="log-time">{t("apiPages.time")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.id}
            className="log-row"
            aria-current={row.id === chosen ? "true" : undefined}
            // A click on the row opens the message; links and checkboxes in it keep their function.
            onClick={({ target }) =>
              target instanceof Element && target.closest("a, .log-mark") === null && onChoose(row.id)
            }
          >
            {marks !== undefined && (
              <td className="log-mark">
                {row.kind !== "verify" && (
                  <Checkbox
                    size="xs"
                    aria-label={t("webhooks.chooseOne", { id: row.uuid })}
                    checked={marks.marked.has(row.id)}
                    onChange={({ currentTarget }) => marks.mark(row.id, currentTarget.checked)}
                  />
                )}
              </td>
            )}
            <td>
              <StateWord state={row.state === "waiting" && row.tries > 0 ? "retrying" : row.state} />
            </td>
            <td>
              <button type="button" className="log-open">
                {row.kind === "test" ? t("webhooks.testOf", { event: row.event }) : row.event}
              </button>
            </td>
            <td className="numbers log-wide">
              <RecordOf delivery={row} />
            </td>
            <td className={row.error === null ? "numbers" : "numbers bad"} {...tip(row.error ?? undefined)}>
              {row.status ?? describeFailure(row.error)}
            </td>
            <td className="numbers quiet log-wide">{row.milliseconds === null ? "" : formatTook(row.milliseconds)}</td>
            <td className="numbers quiet log-wide">{row.tries}</td>
            <td className="quiet log-wide log-next">
              {row.next_try_at === null ? "" : <Timestamp at={row.next_try_at} />}
            </td>
            <td className="numbers quiet log-time">
              <time dateTime={row.created_at} {...tip(formatExact(Date.parse(row.created_at)))}>
                {formatSecond(Date.parse(row.created_at), now)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The column is narrow: the most common failure has a short text, and the tooltip has the full one. */
const describeFailure = (error: string | null): string =>
  error?.startsWith("no answer within") ? t("webhookOverview.timedOut") : (error ?? "");

/** The record of a message: its event begins with the name of its type. */
function RecordOf({ delivery: { kind, event, record_id } }: { delivery: Delivery }) {
  const { account } = useCurrentAccount();
  const type = findType(event.split(".")[0] ?? "");
  // A test message refers to a record that doesn't exist.
  if (record_id === null || kind !== "event" || type === undefined || !hasList(type)) return record_id;
  return <Link to={paths.record(account.id, type, record_id)}>{record_id}</Link>;
}
