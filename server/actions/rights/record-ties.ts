import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { tie } from "../../../records/answers/permissions.ts";
import { toTimestamp } from "../../base/clock.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { type Caller, listReachableAccounts } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { isReference } from "../../engine/kinds/reference.ts";
import type { Type } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";

/**
 * The ties between a person and a record, for the sentence after "Yes": `field` names the person, the team or the
 * organization; `name` is that of the team, of the organization, or of the absent person.
 */
export type Tie = AnswerOf<typeof tie>;

const listReferences = (type: Type, to: string): { field: string; column: string }[] =>
  Object.entries(type.fields).flatMap(([field, declared]) => {
    const column = type.columns.get(field);
    return isReference(declared) && declared.to === to && column !== undefined ? [{ field, column }] : [];
  });

/** $1: the record, $2: the person, $3: the organization of the person, $4: the accounts that the person can reach */
function buildSelect(type: Type): string {
  const column = (name: string) => `a.${quoteIdentifier(name)}`;
  const isRecord = `a.id = $1${type.placement === "account" ? " AND a.account_id = ANY($4::text[])" : ""}`;
  const parts = [
    ...listReferences(type, "person").map(
      (each) =>
        `SELECT 'field' AS kind, '${each.field}' AS field, NULL AS name FROM ${type.table} a WHERE ${isRecord} AND ${column(each.column)} = $2`,
    ),
    ...listReferences(type, "team").map(
      (
        each,
      ) => `SELECT 'team' AS kind, '${each.field}' AS field, t.name AS name FROM ${type.table} a JOIN teams t ON t.id = ${column(each.column)}
JOIN team_members m ON m.team_id = t.id AND m.person_id = $2 WHERE ${isRecord}`,
    ),
    ...listReferences(type, "organization").map(
      (
        each,
      ) => `SELECT 'organization' AS kind, '${each.field}' AS field, o.name AS name FROM ${type.table} a JOIN organizations o ON o.id = ${column(each.column)}
WHERE ${isRecord} AND o.id = $3::integer`,
    ),
    "SELECT NULL AS kind, NULL AS field, NULL AS name WHERE false AND $1::integer + $2::integer + $3::integer + cardinality($4::text[]) > 0",
  ];
  return parts.join("\nUNION ALL ");
}

/** An absent person whose approvals this person gives meanwhile. */
const selectDelegation = jsonStatement<Tie>(
  `SELECT 'delegation' AS kind, 'approver' AS field, p.name FROM task_approvals t
JOIN out_of_office_periods o ON o.person_id = t.approver_id AND o.approval_delegate_id = $2 AND o.start_at <= $3 AND o.end_at > $3
JOIN people p ON p.id = t.approver_id WHERE t.task_id = $1 AND t.account_id = $4`,
);

export async function loadTies({ database }: Engine, type: Type, id: number, by: Caller): Promise<Tie[]> {
  const values = [id, by.person, by.me.organization, listReachableAccounts(by)];
  const reads = [
    queryRows(database, jsonStatement<Tie>(buildSelect(type)), values),
    ...(type.name === "task"
      ? [queryRows(database, selectDelegation, [id, by.person, toTimestamp(by.now), by.account])]
      : []),
  ];
  return (await Promise.all(reads)).flat();
}
