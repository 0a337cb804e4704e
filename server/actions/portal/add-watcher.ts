import type { AddedWatcher } from "../../../records/answers/portal.ts";
import { Forbidden, Invalid } from "../../base/errors.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { createUnchecked } from "../../engine/change.ts";
import { deleteRecord } from "../../engine/delete.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import { isStorable } from "../../engine/kinds/kind.ts";

// A requester lets colleagues follow the request. A requester may not read the directory, so a colleague is
// named by the email address and has to belong to the same company: the topmost organization decides (D-305).

const selectColleague = jsonStatement<{ id: number; name: string }>(
  `WITH RECURSIVE up AS (
  SELECT o.id, o.parent_id FROM organizations o JOIN people m ON m.organization_id = o.id WHERE m.id = $2
  UNION SELECT o.id, o.parent_id FROM organizations o JOIN up ON o.id = up.parent_id
), down AS (
  SELECT id FROM up WHERE parent_id IS NULL
  UNION SELECT o.id FROM organizations o JOIN down ON o.parent_id = down.id
)
SELECT p.id, p.name FROM people p WHERE p.account_id = ANY($3::text[]) AND lower(p.primary_email) = lower($1) AND NOT p.disabled AND p.life_cycle = 'active'
AND p.organization_id IN (SELECT id FROM down) ORDER BY p.id LIMIT 1`,
);
const selectWatch = jsonStatement<{ id: number }>(
  "SELECT id FROM watches WHERE request_id = $1 AND person_id = $2 AND account_id = $3 LIMIT 1",
);

const selectOwnRequest = jsonStatement<{ id: number }>(
  "SELECT id FROM requests WHERE id = $1 AND account_id = $3 AND (requested_by_id = $2 OR requested_for_id = $2)",
);

/** Only the requester, and the person the request is for, decide who follows a request. */
async function requireOwnRequest(engine: Engine, by: Caller, request: number): Promise<string> {
  const account = await requireRecord(engine, by, engine.types.get("request"), request, "link to");
  if ((await queryFirst(engine.database, selectOwnRequest, [request, by.person, account])) === null)
    throw new Forbidden();
  return account;
}

export async function removeWatcher(engine: Engine, by: Caller, request: number, watch: number): Promise<undefined> {
  await requireOwnRequest(engine, by, request);
  const clause = {
    key: "watch of request",
    sql: (alias: string, next: () => string) => `${alias}.request_id = ${next()}`,
    values: [request],
  };
  await deleteRecord(engine, by, engine.types.get("watch"), watch, { scope: { clause, rights: "of the parent" } });
}

export async function addWatcherByEmail(
  engine: Engine,
  by: Caller,
  request: number,
  email: unknown,
): Promise<AddedWatcher> {
  const account = await requireOwnRequest(engine, by, request);
  const address = typeof email === "string" ? email.trim() : "";
  if (address === "") throw new Invalid([["email", "can't be blank"]]);
  if (address.length > 320 || !isStorable(address)) throw new Invalid([["email", "is not valid"]]);
  const person = await queryFirst(engine.database, selectColleague, [address, by.person, by.directoryAccounts]);
  if (person === null) throw new Invalid([["email", "belongs to no colleague"]]);
  const type = engine.types.get("watch");
  const id = await engine.database.transaction(async (tx) => {
    const existing = await queryFirst(tx, selectWatch, [request, person.id, account]);
    return (
      existing?.id ?? createUnchecked({ engine, tx, by, type }, {}, { fixed: { request, person: person.id }, account })
    );
  }, by.zone);
  return { id, person };
}
