import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { stopReason } from "../../../records/answers/targets.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import type { StoppedPeriod } from "../../business-time/stopped-periods.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseJson } from "../../database/rows.ts";

// The SLA clocks of a request in its audit trail: the changes that moved targets, and why a clock stopped.

const fieldsMovingTargets = ["impact", "category", "service_instance", "template", "requested_for"] as const;
type MovingField = (typeof fieldsMovingTargets)[number];

export type TargetChange = { at: Moment; field: MovingField; from: unknown; to: unknown };
export type StopReason = AnswerOf<typeof stopReason>;
export type RequestHistory = {
  changes: readonly TargetChange[];
  /** the status that the request got at a moment */
  statuses: readonly { at: Moment; status: string }[];
};

const selectChanges = statement(
  `SELECT json_agg(json_build_array(to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), changes) ORDER BY id)
FROM audit_lines WHERE account_id = $1 AND audited = 'request' AND record_id = $2 AND action = 'update' AND changes ?| $3::text[]`,
);

type AuditedValues = Readonly<Record<string, readonly [unknown, unknown]>>;

export async function loadRequestHistory(
  { query }: Pick<Transaction, "query">,
  account: string,
  request: number,
): Promise<RequestHistory> {
  const [row] = await query(selectChanges, [account, request, [...fieldsMovingTargets, "status"]]);
  const lines = parseJson<[string, AuditedValues][]>(row?.[0] ?? "[]");
  return {
    changes: lines.flatMap(([at, values]) =>
      fieldsMovingTargets.flatMap((field) => {
        const change = values[field];
        return change === undefined ? [] : [{ at: parseMoment(at), field, from: change[0], to: change[1] }];
      }),
    ),
    statuses: lines.flatMap(([at, { status }]) =>
      status === undefined ? [] : [{ at: parseMoment(at), status: String(status[1]) }],
    ),
  };
}

/** A stop begins with the save that gave the reason for it. */
export function findStopReason({ statuses }: RequestHistory, period: StoppedPeriod): StopReason {
  const status = statuses.findLast(({ at }) => at <= period.from)?.status;
  if (status === "waiting_for_customer" || status === "completed") return status;
  return period.provider_not_accountable ? "provider_not_accountable" : "sla_not_affected";
}
