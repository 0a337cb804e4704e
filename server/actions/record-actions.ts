import { toTimestamp } from "../base/clock.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import { applyChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { requireRecord } from "../engine/find.ts";
import type { Value } from "../engine/kinds/kind.ts";
import type { Values } from "../engine/rules.ts";
import { lockActiveValues } from "../engine/write/lock.ts";

// Changes of a record that are more than a change of its fields. Callers who may change the record may do them (D-383).

type RecordChange = {
  values: Values;
  /** what the audit trail shows beside the fields */
  extra?: Readonly<Record<string, readonly [Value, Value]>>;
};

const changeRecord = (
  engine: Engine,
  by: Caller,
  typeName: string,
  id: number,
  decide: (before: Values, account: string, tx: Transaction) => RecordChange | Promise<RecordChange>,
): Promise<void> =>
  engine.database.transaction(async (tx) => {
    const type = engine.types.get(typeName);
    const account = await requireRecord(engine, by, type, id, "update", tx);
    const before = await lockActiveValues(engine, tx, type, id, account);
    if (before === null) throw new NotFound();
    const { values, extra } = await decide(before, account, tx);
    const change = prepareChange({ engine, tx, by, type }, { id, account, before }, values);
    Object.assign(change.extraChanges, extra);
    await applyChange(change);
  }, by.zone);

/** Accounts that trust this one see the offering from now on; a second time changes nothing. */
export const publishAppOffering = (engine: Engine, by: Caller, id: number): Promise<void> =>
  changeRecord(engine, by, "app_offering", id, ({ published_at }) => ({
    values: { published_at: published_at ?? toTimestamp(by.now) },
  }));

/** The article holds as it is: its audit trail says who looked at it, and when. */
export const markArticleAsReviewed = (engine: Engine, by: Caller, id: number): Promise<void> =>
  changeRecord(engine, by, "knowledge_article", id, () => ({
    values: { updated_by: by.person },
    extra: { reviewed_at: [null, toTimestamp(by.now)] },
  }));

const selectCustomer = statement("SELECT 1 FROM slas WHERE account_id = $1 AND customer_account_id = $2 LIMIT 1");
const insertViewer = statement(
  "INSERT INTO request_viewers (request_id, account_id, home_account_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1",
);
const deleteViewer = statement(
  "DELETE FROM request_viewers WHERE request_id = $1 AND account_id = $2 AND home_account_id = $3 RETURNING 1",
);

/** AZ15: an account that is a customer of this one may see a request without working on it. */
export const setRequestVisibility = (
  engine: Engine,
  by: Caller,
  id: number,
  { account: viewer, isVisible }: { account: string | null; isVisible: boolean },
): Promise<void> =>
  changeRecord(engine, by, "request", id, async (_before, account, tx) => {
    if (account !== by.account) throw new Forbidden();
    if (viewer === null || viewer === "") throw new Invalid([["accountID", "can't be blank"]]);
    if (viewer.includes("\0") || (await tx.query(selectCustomer, [account, viewer])).length === 0)
      throw new Invalid([["accountID", "is not valid"]]);
    const changed = isVisible
      ? await tx.query(insertViewer, [id, viewer, account])
      : await tx.query(deleteViewer, [id, viewer, account]);
    return {
      values: {},
      ...(changed.length === 0 ? {} : { extra: { visible_for: isVisible ? [null, viewer] : [viewer, null] } }),
    };
  });
