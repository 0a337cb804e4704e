import type { Value } from "../engine/kinds/kind.ts";
import type { Change, Linked } from "../engine/rules.ts";
import { lockAtOnce, statement, type Transaction } from "../storage/database.ts";
import { numberOr } from "./number-or.ts";

// Records that stand one below the other, 1 on top, without gaps: the items of a board column or of a product backlog.
// Several types share one order. Whoever moves something locks the places, so that two moves do not meet; and does not
// wait for them, because whoever has them may wait for the record that is to be moved.

type Steps = { table: string; place: string; position: string };
/** `owner`: the table of the places; `steps`: where positions are kept, records by their type first */
export type Ladder = {
  field: string;
  position: string;
  owner: string;
  steps: Readonly<Record<string, Steps>>;
};

const at = (value: Value | undefined): number | null => (typeof value === "number" ? value : null);

/** How many others stand there. */
async function others(ladder: Ladder, tx: Transaction, place: number, type: string, id: number): Promise<number> {
  const counts = Object.entries(ladder.steps).map(
    ([name, { table, place: column }]) =>
      `(SELECT count(*) FROM ${table} WHERE ${column} = $1 AND NOT ($2 = '${name}' AND id = $3))`,
  );
  const [row] = await tx.query(statement(`SELECT ${counts.join(" + ")}`), [place, type, id]);
  return Number(row?.[0] ?? 0);
}

/** Part of `check`: where exactly the record goes. Without a position it goes to the bottom. */
export async function choosePosition(ladder: Ladder, change: Change): Promise<void> {
  const { tx, type, id, before, after, given } = change;
  const { field, position } = ladder;
  const [old, place] = [at(before?.[field]), at(after[field])];
  const wanted = given.has(position) ? at(after[position]) : null;
  const isThere = place === old && (place === null || before?.[position] != null);
  if (isThere && (wanted === null || wanted === before?.[position])) {
    after[position] = before?.[position] ?? null;
    return;
  }
  await lockAtOnce(
    tx,
    ladder.owner,
    [old, place].filter((id) => id !== null),
  );
  if (place === null) {
    after[position] = null;
    return;
  }
  const bottom = (await others(ladder, tx, place, type, id)) + 1;
  after[position] = Math.min(Math.max(wanted ?? bottom, 1), bottom);
}

/** For a record that is erased: the others close the gap. */
export async function leaveForGood(ladder: Ladder, tx: Transaction, type: string, id: number): Promise<void> {
  const { table, place, position } = ladder.steps[type] as Steps;
  const [row] = await tx.query(statement(`SELECT ${place}, ${position} FROM ${table} WHERE id = $1`), [id]);
  const [from, rung] = [numberOr(row?.[0]), numberOr(row?.[1])];
  if (from === null) return;
  await lockAtOnce(tx, ladder.owner, [from]);
  moveOthers(ladder, { tx, type, id, before: { [ladder.field]: from, [ladder.position]: rung }, after: {} });
}

type Step = Pick<Change, "tx" | "type" | "id" | "before" | "after">;

/** Part of `removed`: the others close the gap. */
export async function closeGap(ladder: Ladder, { tx, id, change, values }: Linked): Promise<void> {
  const place = at(values[ladder.field]);
  if (place !== null) await lockAtOnce(tx, ladder.owner, [place]);
  moveOthers(ladder, { tx, type: change.type, id, before: values, after: {} });
}

/** Part of `saved`: the others make room, or close the gap. */
export function moveOthers({ steps, field, position }: Ladder, change: Step): boolean {
  const { tx, type, id, before, after } = change;
  const [oldPlace, oldAt] = [at(before?.[field]), at(before?.[position])];
  const [newPlace, newAt] = [at(after[field]), at(after[position])];
  if (oldPlace === newPlace && oldAt === newAt) return false;
  const shift = (place: number, from: number, to: number, by: number) => {
    for (const [name, { table, place: column, position: rung }] of Object.entries(steps))
      tx.send(
        statement(
          `UPDATE ${table} SET ${rung} = ${rung} + $4 WHERE ${column} = $1 AND ${rung} BETWEEN $2 AND $3 AND NOT ($5 = '${name}' AND id = $6)`,
        ),
        [place, from, to, by, type, id],
      );
  };
  const last = 2_147_483_646;
  if (oldPlace === newPlace && oldPlace !== null && oldAt !== null && newAt !== null) {
    if (newAt < oldAt) shift(oldPlace, newAt, oldAt - 1, 1);
    else shift(oldPlace, oldAt + 1, newAt, -1);
    return true;
  }
  if (oldPlace !== null && oldAt !== null) shift(oldPlace, oldAt + 1, last, -1);
  if (newPlace !== null && newAt !== null) shift(newPlace, newAt, last, 1);
  return true;
}
