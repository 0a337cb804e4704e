import type { RowOf } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import { readBoardOfTeamAhead } from "../board/board.ts";
import { readAffectedSlaRowsAhead } from "../sla/affected-sla-rows.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";
import { readFactsOfNewRequestAhead } from "../sla/calculate-rows.ts";
import { fieldsDecidingClock, fieldsDecidingSlas } from "../sla/request-facts.ts";
import { buildExternalProviderQuery, buildInstanceFactsQuery } from "./assignment.ts";
import { selectOrganizationOfPerson } from "./defaults.ts";
import { readParticipantsAhead } from "./participant-accounts.ts";

// What the steps of a save will read, sent before the first of them runs (D-499). The steps decide whether they want it.

type NewRequest = { by: Caller; account: string; values: RowOf<typeof request> };

export async function readAheadOfNewRequest(tx: Transaction, { by, account, values }: NewRequest): Promise<void> {
  const person = values.requested_for ?? values.requested_by ?? by.person;
  const instance = values.service_instance;
  tx.readAhead(selectOrganizationOfPerson, [person]);
  if (instance === null) return;
  if (values.supplier === null || (values.team === null && values.member === null)) {
    const { statement, values: asked } = buildInstanceFactsQuery(by, instance);
    tx.readAhead(statement, asked);
  }
  const agreements = await loadAgreements(tx, account);
  if (values.supplier === null && agreements.instances.get(instance)?.supplier != null) {
    const { statement, values: asked } = buildExternalProviderQuery(by, instance);
    tx.readAhead(statement, asked);
  }
  // What follows depends on the team, which is only guessed: where another one is chosen, the steps ask again.
  const known = agreements.instances.get(instance);
  const team = values.team ?? known?.first_line_team ?? known?.support_team ?? null;
  readParticipantsAhead(tx, by, { team, instance });
  if (team !== null && values.agile_board === null && values.product_backlog === null) readBoardOfTeamAhead(tx, team);
  if (values.grouping !== "group") readFactsOfNewRequestAhead(tx, agreements, { by, person }, values);
}

const fieldsDecidingTargets: ReadonlySet<string> = new Set([...fieldsDecidingSlas, ...fieldsDecidingClock]);

type RequestUpdate = { by: Caller; id: number; members: Readonly<Record<string, unknown>> };

export function readAheadOfRequest(tx: Transaction, { by, id, members }: RequestUpdate): void {
  const isDeciding = (name: string) => fieldsDecidingTargets.has(name.replace(/_id$/, ""));
  if (Object.keys(members).some(isDeciding)) readAffectedSlaRowsAhead(tx, by.account, id);
}
