import { Invalid, NotFound } from "../../base/errors.ts";
import { linkInTransaction, resolveLink, unlinkInTransaction } from "../../engine/links.ts";
import type { Transaction } from "../../storage/database.ts";
import { unescapeFormula } from "../cells.ts";
import type { Column } from "../columns.ts";
import { buildKeyWithAccountSql, buildSharedWithSql, type RecordLookup } from "../natural-keys.ts";
import type { ImportContext, RowCells } from "./import-context.ts";
import { lookupProblems, pickWritableColumns, type ReferenceField, splitReferenceLines } from "./row-to-body.ts";

// Columns of links: the cell names all records that are linked, one per line. What it does not name any more is unlinked.

export const pickLinkColumns = (reading: ImportContext, cells: RowCells): Column[] =>
  pickWritableColumns(reading, cells).filter(({ isLink }) => isLink);

/** Links and unlinks with the rights and the rules of the API; answers whether anything was to be done. */
export async function syncLinks(
  reading: ImportContext,
  tx: Transaction,
  lookUp: RecordLookup,
  id: number,
  cells: RowCells,
): Promise<boolean> {
  const { engine, by, exchangeType: subject } = reading;
  let isChanged = false;
  for (const { name, field } of pickLinkColumns(reading, cells)) {
    const linked = await loadLinkedRecords(reading, tx, name, id);
    const wanted = resolveLinkTargets(
      reading,
      lookUp,
      name,
      splitReferenceLines(field as ReferenceField, unescapeFormula(cells.get(name) as string)),
      linked,
    );
    const gone = [...linked.keys()].filter((other) => !wanted.has(other));
    const fresh = [...wanted].filter((other) => !linked.has(other));
    for (const other of gone) await unlinkInTransaction({ engine, tx, by, type: subject.type }, id, name, other);
    for (const other of fresh)
      await linkInTransaction({ engine, tx, by, type: subject.type }, id, name, other).catch((error) => {
        throw error instanceof NotFound ? new Invalid([[name, lookupProblems.nothing]]) : error;
      });
    isChanged ||= gone.length + fresh.length > 0;
  }
  return isChanged;
}

/** What is linked now as far as an export shows it, each with what names it in a cell. */
async function loadLinkedRecords(
  { engine, exchangeType: subject }: ImportContext,
  tx: Transaction,
  name: string,
  id: number,
): Promise<Map<number, string>> {
  const { type } = subject;
  const built = engine.statements.get(`${type.name}#linked#${name}`, () => {
    const { target, storage: joint } = resolveLink(engine, type, name);
    if ("by" in joint) throw new Error(`${type.name}.${name} is kept elsewhere`);
    const key = buildKeyWithAccountSql(target, "r", "a.account_id");
    return `SELECT r.id, ${key} FROM ${type.table} a JOIN ${joint.table} l ON l.${joint.here} = a.id JOIN ${target.table} r ON r.id = l.${joint.there} WHERE a.id = $1 AND ${buildSharedWithSql(target, "r", "a.account_id")}`;
  });
  return new Map((await tx.query(built, [id])).map(([other, key]) => [Number(other), key as string]));
}

/** What is linked under that name stays, be it archived or one of several; anything else has to be found. */
function resolveLinkTargets(
  { engine, exchangeType: subject }: ImportContext,
  lookUp: RecordLookup,
  name: string,
  lines: readonly string[],
  linked: ReadonlyMap<number, string>,
): Set<number> {
  const { target } = resolveLink(engine, subject.type, name);
  return new Set(
    lines.flatMap((line) => {
      const known = [...linked].filter(([, key]) => key === line).map(([other]) => other);
      if (known.length > 0) return known;
      const found = lookUp.find(target, line);
      if (typeof found !== "object") throw new Invalid([[name, lookupProblems[found]]]);
      return [Number(found.id)];
    }),
  );
}
