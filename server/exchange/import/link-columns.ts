import { Invalid, NotFound } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import { listReachableAccounts } from "../../engine/caller.ts";
import { linkInTransaction, resolveLink, unlinkInTransaction } from "../../engine/links.ts";
import { andLinkOfAccount } from "../../engine/sql/placement.ts";
import { unescapeFormula } from "../cells.ts";
import type { Column } from "../columns.ts";
import { buildKeyWithAccountSql, buildSharedWithSql, type RecordLookup } from "../natural-keys.ts";
import type { ImportContext, RowCells } from "./import-context.ts";
import { buildLookupProblem, pickWritableColumns, type ReferenceField, splitReferenceLines } from "./row-to-body.ts";

// A link column lists all linked records, one per line. Records that it does not list are unlinked.

export const pickLinkColumns = (context: ImportContext, cells: RowCells): Column[] =>
  pickWritableColumns(context, cells).filter(({ isLink }) => isLink);

/** By link: the ids of records that were linked and unlinked. */
export type LinkChanges = Record<string, { added: number[]; removed: number[] }>;

/** Links and unlinks with the permissions and hooks of the API. */
export async function syncLinks(
  context: ImportContext,
  tx: Transaction,
  lookup: RecordLookup,
  id: number,
  cells: RowCells,
): Promise<LinkChanges> {
  const { engine, by, exchangeType } = context;
  const changes: LinkChanges = {};
  for (const { name, field } of pickLinkColumns(context, cells)) {
    const linked = await loadLinkedRecords(context, tx, name, id);
    const wanted = resolveLinkTargets(
      context,
      lookup,
      name,
      splitReferenceLines(field as ReferenceField, unescapeFormula(cells.get(name) as string)),
      linked,
    );
    const removed = [...linked.keys()].filter((other) => !wanted.has(other));
    const added = [...wanted].filter((other) => !linked.has(other));
    const operation = { engine, tx, by, type: exchangeType.type };
    for (const other of removed) await unlinkInTransaction(operation, id, name, other);
    for (const other of added)
      await linkInTransaction(operation, id, name, other).catch((error) => {
        throw error instanceof NotFound ? new Invalid([buildLookupProblem(name, "nothing")]) : error;
      });
    if (removed.length + added.length > 0) changes[name] = { added, removed };
  }
  return changes;
}

/** The linked records that an export shows, with their cell texts. */
async function loadLinkedRecords(
  { engine, by, exchangeType }: ImportContext,
  tx: Transaction,
  name: string,
  id: number,
): Promise<Map<number, string>> {
  const { type } = exchangeType;
  const built = engine.statements.get(`${type.name}#linked#${name}`, () => {
    const { target, storage } = resolveLink(engine, type, name);
    if ("by" in storage) throw new Error(`${type.name}.${name} is kept elsewhere`);
    const key = buildKeyWithAccountSql(target, "r", "a.account_id");
    const ofAccount = andLinkOfAccount([type, target], "l", "a.account_id");
    return `SELECT r.id, ${key} FROM ${type.table} a JOIN ${storage.table} l ON l.${storage.here} = a.id${ofAccount} JOIN ${target.table} r ON r.id = l.${storage.there} WHERE a.id = $1 AND a.account_id = ANY($2::text[]) AND ${buildSharedWithSql(target, "r", "a.account_id")}`;
  });
  return new Map(
    (await tx.query(built, [id, listReachableAccounts(by)])).map(([other, key]) => [Number(other), key as string]),
  );
}

/** A linked record with that name stays, even if it is archived or the name is ambiguous; others are looked up. */
function resolveLinkTargets(
  { engine, exchangeType }: ImportContext,
  lookup: RecordLookup,
  name: string,
  lines: readonly string[],
  linked: ReadonlyMap<number, string>,
): Set<number> {
  const { target } = resolveLink(engine, exchangeType.type, name);
  return new Set(
    lines.flatMap((line) => {
      const existing = [...linked].filter(([, key]) => key === line).map(([other]) => other);
      if (existing.length > 0) return existing;
      const found = lookup.find(target, line);
      if (typeof found !== "object") throw new Invalid([buildLookupProblem(name, found)]);
      return [Number(found.id)];
    }),
  );
}
