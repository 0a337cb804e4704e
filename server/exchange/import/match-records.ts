import { Invalid } from "../../base/errors.ts";
import { pickAccounts } from "../../engine/access.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Row, Transaction } from "../../storage/database.ts";
import { unescapeFormula } from "../cells.ts";
import { type ImportContext, pickComparableColumns, type RowCells } from "./import-context.ts";

// IE10. Which record a row of a file means.

/** What a row says about its record, by the sort of key; the values are texts. */
export type RowKey = { kind: string; values: readonly [string, string] };

const contactKinds = ["telephone", "email", "website", "chat"];

/** By sort of key: the records of an account that have it. */
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

/** Every key that a row has; the first one counts. None: the row makes a new record. */
export function pickRowKeys(
  { exchangeType: subject }: ImportContext,
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
  if (subject.type.name === "person" && email !== "") keys.push({ kind: "email", values: [email, ""] });
  // The address of the same sort under the same label of the same owner.
  const address = subject.type.name === "contact" ? contactKinds.find((name) => cells.get(name)) : undefined;
  if (address !== undefined && owner !== null)
    keys.push({ kind: `${address} of ${owner.field}`, values: [String(owner.id), readStorableCell(cells, "label")] });
  return keys;
}

export const serializeKey = ({ kind: sort, values }: RowKey): string =>
  `${sort} ${JSON.stringify(values).toLowerCase()}`;

function readStorableCell(cells: RowCells, name: string): string {
  const text = unescapeFormula(cells.get(name) ?? "");
  if (!isStorable(text)) throw new Invalid([[name, "contains invalid characters"]]);
  return text;
}

/** The record of each key, its cells as an export would write them: the oldest of several, null for none. */
export async function loadMatchingRecords(
  reading: ImportContext,
  tx: Transaction,
  keys: readonly (RowKey | null)[],
): Promise<(Row | null)[]> {
  const found: (Row | null)[] = keys.map(() => null);
  const sorts = new Set(keys.flatMap((key) => (key === null ? [] : [key.kind])));
  await Promise.all(
    [...sorts].map(async (sort) => {
      const places = keys.map((_, index) => index).filter((index) => keys[index]?.kind === sort);
      const meant = places.map((index) => (keys[index] as RowKey).values);
      for (const [nr, ...row] of await queryRecordsByKey(reading, tx, sort, meant)) {
        const place = places[Number(nr) - 1] as number;
        const other = found[place];
        if (other == null || Number(row[0]) < Number(other[0])) found[place] = row;
      }
    }),
  );
  return found;
}

function queryRecordsByKey(
  reading: ImportContext,
  tx: Transaction,
  sort: string,
  keys: readonly (readonly [string, string])[],
): Promise<Row[]> {
  const { engine, by, exchangeType: subject } = reading;
  const { type } = subject;
  const shown = pickComparableColumns(reading);
  const built = engine.statements.get(`${type.name}#cells#${shown.map(({ name }) => name).join(",")}#${sort}`, () => {
    const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
    const selected = ["k.nr", "a.id", ...shown.map(({ sql }) => (sql as (row: string) => string)("a"))];
    return `SELECT ${selected.join(", ")} FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS k (one, other, nr) JOIN ${type.ownTable} a ON ${keyConditions[sort]} WHERE a.account_id = ANY($1::text[])${active}`;
  });
  // What is keyed by something other than its id is looked for in the account of the call alone.
  const accounts = sort === "id" ? pickAccounts(type, by) : [by.account];
  return tx.query(built, [accounts, keys.map(([one]) => one), keys.map(([, other]) => other)]);
}
