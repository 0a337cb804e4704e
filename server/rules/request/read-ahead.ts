import type { RowOf } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ReferenceFacts } from "../../engine/rules.ts";
import { readBoardOfTeamAhead } from "../board/board.ts";
import { readAffectedSlaRowsAhead } from "../sla/affected-sla-rows.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";
import { buildFactsForNewRequest } from "../sla/calculate-rows.ts";
import { buildPersonFacts } from "../sla/covered-person.ts";
import { fieldsDecidingClock, fieldsDecidingSlas } from "../sla/request-facts.ts";
import { buildExternalProviderQuery, buildInstanceFacts } from "./assignment.ts";
import { readParticipantsAhead } from "./participant-accounts.ts";

// The reads of a save's steps, sent before the first step runs (D-499). The steps decide whether they need them.

type NewRequest = { by: Caller; account: string; values: RowOf<typeof request> };

export async function readAheadOfNewRequest(
  tx: Transaction,
  { by, account, values }: NewRequest,
): Promise<ReferenceFacts[]> {
  const person = values.requested_for ?? values.requested_by ?? by.person;
  const instance = values.service_instance;
  if (instance === null) return [buildPersonFacts(person, [])];
  const agreements = await loadAgreements(tx, account);
  if (values.supplier === null && agreements.instances.get(instance)?.supplier != null) {
    const { statement, values: asked } = buildExternalProviderQuery(by, instance);
    tx.readAhead(statement, asked);
  }
  // The following reads depend on the team, which is only guessed: if another one is chosen, the steps read again.
  const known = agreements.instances.get(instance);
  const team = values.team ?? known?.first_line_team ?? known?.support_team ?? null;
  readParticipantsAhead(tx, by, { team, instance });
  const boardOf = values.agile_board === null && values.product_backlog === null ? team : null;
  const facts =
    values.grouping === "group"
      ? buildPersonFacts(person, [])
      : buildFactsForNewRequest(agreements, { by, person }, values);
  if (values.supplier === null || (values.team === null && values.member === null))
    return [buildInstanceFacts(by, { instance, boardOf }), facts];
  if (boardOf !== null) readBoardOfTeamAhead(tx, boardOf);
  return [facts];
}

const fieldsDecidingTargets: ReadonlySet<string> = new Set([...fieldsDecidingSlas, ...fieldsDecidingClock]);

type RequestUpdate = { by: Caller; id: number; members: Readonly<Record<string, unknown>> };

export function readAheadOfRequest(tx: Transaction, { by, id, members }: RequestUpdate): void {
  const isDeciding = (name: string) => fieldsDecidingTargets.has(name.replace(/_id$/, ""));
  if (Object.keys(members).some(isDeciding)) readAffectedSlaRowsAhead(tx, by.account, id);
}
