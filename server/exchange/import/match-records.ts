import { Invalid } from "../../base/errors.ts";
import type { Row, Transaction } from "../../database/database.ts";
import { pickAccounts } from "../../engine/access.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { unescapeFormula } from "../cells.ts";
import { type ImportContext, pickComparableColumns, type RowCells } from "./import-context.ts";

// IE10. Finds the record that a row of a file updates.

/** A key that identifies the record of a row. */
export type RowKey = { kind: string; values: readonly [string, string] };

export const contactKinds = ["telephone", "email", "website", "chat"];

/** The join condition of each kind of key. */
const keyConditions: Record<string, string> = {
  id: "a.id = k.one::integer",
  source: 'a.source = k.one AND a."sourceID" = k.other',
  email: "lower(a.primary_email) = lower(k.one)",
  ...Object.fromEntries(
    ["person", "organization"].flatMap((owner) =>
      contactKinds.map((address) => [
        `${address} of ${owner}`,
        `a.${owner}_id = k.one::integer AND a.label = k.other AND a.${address} IS NOT NULL`,
      ]),
    ),
  ),
};

/** All keys of a row; the first one counts. None: the row creates a record. */
export function pickRowKeys(
  { exchangeType }: ImportContext,
  cells: RowCells,
  owner: { field: string; id: number } | null,
): RowKey[] {
  const keys: RowKey[] = [];
  const id = cells.get("id")?.trim() ?? "";
  if (id !== "") {
    if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2_147_483_647) throw new Invalid([["id", "is not valid"]]);
    keys.push({ kind: "id", values: [id, ""] });
  }
  const [source, sourceID] = ["source", "sourceID"].map((name) => readStorableCell(cells, name)) as [string, string];
  if (source !== "" && sourceID !== "") keys.push({ kind: "source", values: [source, sourceID] });
  const email = readStorableCell(cells, "primary_email").trim();
  if (exchangeType.type.name === "person" && email !== "") keys.push({ kind: "email", values: [email, ""] });
  // A contact is identified by its owner, its label and the kind of its address.
  const address = exchangeType.type.name === "contact" ? contactKinds.find((name) => cells.get(name)) : undefined;
  if (address !== undefined && owner !== null)
    keys.push({ kind: `${address} of ${owner.field}`, values: [String(owner.id), readStorableCell(cells, "label")] });
  return keys;
}

export const serializeKey = ({ kind, values }: RowKey): string => `${kind} ${JSON.stringify(values).toLowerCase()}`;

function readStorableCell(cells: RowCells, name: string): string {
  const text = unescapeFormula(cells.get(name) ?? "");
  if (!isStorable(text)) throw new Invalid([[name, "contains invalid characters"]]);
  return text;
}

/** The record of each key, with its cells as an export writes them; the oldest of several. */
export async function loadMatchingRecords(
  context: ImportContext,
  tx: Transaction,
  keys: readonly (RowKey | null)[],
): Promise<(Row | null)[]> {
  const records: (Row | null)[] = keys.map(() => null);
  const kinds = new Set(keys.flatMap((key) => (key === null ? [] : [key.kind])));
  await Promise.all(
    [...kinds].map(async (kind) => {
      const indexes = keys.map((_, index) => index).filter((index) => keys[index]?.kind === kind);
      const values = indexes.map((index) => (keys[index] as RowKey).values);
      for (const [nr, ...row] of await queryRecordsByKey(context, tx, kind, values)) {
        const index = indexes[Number(nr) - 1] as number;
        const other = records[index];
        if (other == null || Number(row[0]) < Number(other[0])) records[index] = row;
      }
    }),
  );
  return records;
}

function queryRecordsByKey(
  context: ImportContext,
  tx: Transaction,
  kind: string,
  keys: readonly (readonly [string, string])[],
): Promise<Row[]> {
  const { engine, by, exchangeType } = context;
  const { type } = exchangeType;
  const shown = pickComparableColumns(context);
  const built = engine.statements.get(`${type.name}#cells#${shown.map(({ name }) => name).join(",")}#${kind}`, () => {
    const active = type.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
    const selected = ["k.nr", "a.id", ...shown.map(({ sql }) => (sql as (row: string) => string)("a"))];
    return `SELECT ${selected.join(", ")} FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS k (one, other, nr) JOIN ${type.ownTable} a ON ${keyConditions[kind]} WHERE a.account_id = ANY($1::text[])${active}`;
  });
  // Keys other than the id are unique within one account only.
  const accounts = kind === "id" ? pickAccounts(type, by) : [by.account];
  return tx.query(built, [accounts, keys.map(([one]) => one), keys.map(([, other]) => other)]);
}
