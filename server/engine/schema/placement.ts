import type { Placement, RecordType } from "../../../records/vocabulary/index.ts";
import { growingSystemTables, systemPlacements } from "../../schema/tables/system-tables/placements.ts";
import { isInverseReference, overlayTable, referencesTable, viewersTable } from "../../schema/tables/table-names.ts";
import { getKind } from "../kinds/index.ts";

// The placement of each table when accounts are divided among several database servers. Keys, unique constraints and foreign keys
// follow from it, and every statement on a table that is stored with its account names that account (D-660).

export type TablePlacement = {
  placement: Placement;
  /** the column with the account that a row lives with; null for tables that do not live with an account */
  accountColumn: string | null;
  /** the rows of records, events and journals, of which every day brings more */
  grows: boolean;
  /** other accounts participate in the records, and records of theirs may refer to them */
  isShared: boolean;
};

/** The placement of every table, by its name. */
export function buildPlacements(register: readonly RecordType[]): ReadonlyMap<string, TablePlacement> {
  const byName = new Map(register.map((type) => [type.name, type]));
  const placements = new Map<string, TablePlacement>();
  const add = (
    table: string,
    placement: Placement,
    { grows = false, isShared = false, accountColumn = "account_id" } = {},
  ) =>
    placements.set(table, {
      placement,
      accountColumn: placement === "account" ? accountColumn : null,
      grows: placement === "account" && grows,
      isShared,
    });
  const addLinkTable = (table: string, from: RecordType, to: RecordType | undefined) => {
    const ends = to === undefined ? [from] : [from, to];
    const isPlaced = ends.some((end) => pickPlacement(end, byName) === "account");
    add(table, isPlaced ? "account" : "everywhere");
  };
  for (const type of register) {
    if (type.storage.virtual) continue;
    const placement = pickPlacement(type, byName);
    add(type.collection, placement, { grows: type.storage.grows, isShared: type.sharing.perAccount.length > 0 });
    // The rows of other accounts about a record live with the record.
    const accountColumn = "home_account_id";
    if (type.sharing.perAccount.length > 0) add(overlayTable(type), placement, { accountColumn });
    if (type.sharing.viewers !== null) add(viewersTable(type), placement, { accountColumn });
    for (const link of Object.values(type.links))
      if ("table" in link) addLinkTable(link.table, type, byName.get(link.to));
    for (const [name, field] of Object.entries(type.fields)) {
      const { hasOwnTable, targets } = getKind(field);
      if (hasOwnTable && !field.transient && !isInverseReference(type, name))
        addLinkTable(referencesTable(type.name, name), type, byName.get(targets?.(field)[0] as string));
    }
  }
  for (const [table, placement] of systemPlacements) add(table, placement, { grows: growingSystemTables.has(table) });
  return placements;
}

export function pickPlacement(type: RecordType, byName: ReadonlyMap<string, RecordType>): Placement {
  if (type.storage.placement !== null) return type.storage.placement;
  const isOwnedByPlaced = type.ownedBy.some((name) => {
    const owner = byName.get(name);
    return owner !== undefined && pickPlacement(owner, byName) === "account";
  });
  return type.storage.grows || isOwnedByPlaced ? "account" : "everywhere";
}

/** The tables that can be divided into partitions by their account. */
export const listGrowingTables = (register: readonly RecordType[]): { name: string; accountColumn: string }[] =>
  [...buildPlacements(register)].flatMap(([name, { accountColumn, grows }]) =>
    grows && accountColumn !== null ? [{ name, accountColumn }] : [],
  );

/** Whether a reference becomes null when its target is deleted. Between tables that live with their account the engine does it. */
export function isEmptiedOnDelete(type: RecordType, name: string, target: RecordType): boolean {
  const field = type.fields[name];
  return (
    target.deletion.deletable === true &&
    !type.ownedBy.includes(name) &&
    field?.access !== "required" &&
    !field?.restrictDelete
  );
}
