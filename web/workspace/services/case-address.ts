import { serviceOffering } from "../../../records/configuration/service-offering.ts";
import type { Row } from "../../api/index.ts";
import { readerZone } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import type { ExplainedTargets } from "../../queries/record-page.ts";
import { readReference } from "../../queries/reference.ts";
import type { Case } from "../../queries/workspace/services.ts";

// Addresses that open an offering's simulation with a prefilled case.

export const buildCasePath = (account: string, offering: number, values: Partial<Case>): string =>
  `${paths.record(account, serviceOffering, offering)}?${new URLSearchParams({ case: JSON.stringify(values) })}`;

/** A moment in the format of a browser input, in the reader's zone. */
const toInput = (moment: string): string => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    ...{
      timeZone: readerZone(),
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    },
  });
  return format.format(new Date(moment)).replace(" ", "T");
};

const parseId = (value: unknown): number | null => {
  const reference = readReference(value);
  return reference === null ? null : Number(reference.id);
};

/** The address for an existing request, with the events that stopped its clocks; null if no offering has a target. */
export function buildRequestCase(account: string, row: Row, targets: ExplainedTargets): string | null {
  const { offering, service_instance, started_at, stopped } = targets;
  if (offering === null) return null;
  const events = stopped.flatMap(({ from, to, reason }) => [
    ...(reason === "waiting_for_customer" ? [{ at: toInput(from), status: "waiting_for_customer" }] : []),
    ...(reason === "waiting_for_customer" && to !== null ? [{ at: toInput(to), status: "in_progress" }] : []),
    ...(reason === "completed" ? [{ at: toInput(from), status: "completed" }] : []),
  ]);
  return buildCasePath(account, Number(offering.id), {
    ...{ person: parseId(row.requested_for), instance: Number(service_instance.id), at: toInput(started_at), events },
    ...(typeof row.category === "string" ? { category: row.category } : {}),
    ...(typeof row.impact === "string" ? { impact: row.impact } : {}),
  });
}
