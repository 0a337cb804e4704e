import { Invalid } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import type { Values } from "../engine/rules.ts";
import { translateDatabaseError } from "../engine/write/database-errors.ts";
import type { SaveResult } from "../engine/write/respond.ts";
import { loadSavedRecord } from "../engine/write/respond.ts";

// BC5. A person who sees a broadcast subscribes to its request group with a request of their own.

const selectGroupOfBroadcast = statement(
  `SELECT g.id, json_build_object('subject', g.subject, 'category', g.category, 'impact', g.impact, 'service_instance', g.service_instance_id)
FROM broadcasts b JOIN requests g ON g.id = b.request_id AND g.account_id = b.account_id WHERE b.id = $1 AND b.account_id = $2`,
);
const selectOwnRequest = statement(
  `SELECT id FROM requests WHERE grouped_into_id = $1 AND account_id = $3 AND requested_for_id = $2 AND status <> 'completed' AND life_cycle = 'active'
ORDER BY id LIMIT 1`,
);

/** Responds with the request of the caller in the group, which is created unless there is an open one. */
export async function subscribeToBroadcast(
  engine: Engine,
  by: Caller,
  broadcast: { id: number; account: string },
): Promise<SaveResult> {
  const type = engine.types.get("request");
  try {
    return await engine.database.transaction(async (tx) => {
      const [row] = await tx.query(selectGroupOfBroadcast, [broadcast.id, broadcast.account]);
      if (row === undefined) throw new Invalid([["request", "can't be blank"]]);
      const group = Number(row[0]);
      const [own] = await tx.query(selectOwnRequest, [group, by.person, broadcast.account]);
      if (own !== undefined) {
        const id = Number(own[0]);
        const saved = { id, account: broadcast.account };
        return { ...saved, ...(await loadSavedRecord(engine, tx, by, type, saved)), ignored: [], existing: true };
      }
      const valuesOfGroup: Values = JSON.parse(row[1] ?? "{}");
      const fixed: Values = {
        ...valuesOfGroup,
        requested_by: by.person,
        requested_for: by.person,
        grouped_into: group,
      };
      const id = await createUnchecked({ engine, tx, by, type }, {}, { fixed, account: broadcast.account });
      const saved = { id, account: broadcast.account };
      return { ...saved, ...(await loadSavedRecord(engine, tx, by, type, saved)), ignored: [] };
    }, by.zone);
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}
