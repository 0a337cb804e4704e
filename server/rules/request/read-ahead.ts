import type { RowOf } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import { readBoardOfTeamAhead } from "../board/board.ts";
import { selectOrganizationOfPerson } from "../people/organization-ancestors.ts";
import { readAffectedSlaRowsAhead } from "../sla/affected-sla-rows.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";
import { readFactsOfNewRequestAhead } from "../sla/calculate-rows.ts";
import { fieldsDecidingClock, fieldsDecidingSlas } from "../sla/request-facts.ts";
import { buildExternalProviderQuery, readInstanceFactsAhead } from "./assignment.ts";
import { readParticipantsAhead } from "./participant-accounts.ts";

// What the steps of a save will read, sent before the first of them runs (D-499). The steps decide whether they want it.

type NewRequest = { by: Caller; account: string; values: RowOf<typeof request> };

export async function readAheadOfNewRequest(tx: Transaction, { by, account, values }: NewRequest): Promise<void> {
  const person = values.requested_for ?? values.requested_by ?? by.person;
  const instance = values.service_instance;
  if (instance === null) return tx.readAhead(selectOrganizationOfPerson, [person]);
  const agreements = await loadAgreements(tx, account);
  if (values.supplier === null && agreements.instances.get(instance)?.supplier != null) {
    const { statement, values: asked } = buildExternalProviderQuery(by, instance);
    tx.readAhead(statement, asked);
  }
  // What follows depends on the team, which is only guessed: where another one is chosen, the steps ask again.
  const known = agreements.instances.get(instance);
  const team = values.team ?? known?.first_line_team ?? known?.support_team ?? null;
  readParticipantsAhead(tx, by, { team, instance });
  const boardOf = values.agile_board === null && values.product_backlog === null ? team : null;
  if (values.supplier === null || (values.team === null && values.member === null))
    readInstanceFactsAhead(tx, by, { instance, boardOf });
  else if (boardOf !== null) readBoardOfTeamAhead(tx, boardOf);
  if (values.grouping === "group") tx.readAhead(selectOrganizationOfPerson, [person]);
  else readFactsOfNewRequestAhead(tx, agreements, { by, person }, values);
}

const fieldsDecidingTargets: ReadonlySet<string> = new Set([...fieldsDecidingSlas, ...fieldsDecidingClock]);

type RequestUpdate = { by: Caller; id: number; members: Readonly<Record<string, unknown>> };

export function readAheadOfRequest(tx: Transaction, { by, id, members }: RequestUpdate): void {
  const isDeciding = (name: string) => fieldsDecidingTargets.has(name.replace(/_id$/, ""));
  if (Object.keys(members).some(isDeciding)) readAffectedSlaRowsAhead(tx, by.account, id);
}
