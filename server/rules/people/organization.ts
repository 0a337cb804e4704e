import type { Caller } from "../../engine/caller.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";

// Internal organizations are those in the tree below the organization an account was made for.

const buildDescendantsSql = (roots: string) =>
  `WITH RECURSIVE tree AS (${roots} UNION SELECT o.id FROM organizations o JOIN tree ON o.parent_id = tree.id) SELECT id FROM tree`;
const buildInternalOrganizationsSql = (next: () => string) =>
  buildDescendantsSql(
    `SELECT organization_id AS id FROM accounts WHERE id IN (${next()}, ${next()}) AND organization_id IS NOT NULL`,
  );
const accountAndDirectory = (by: Caller) => [by.account, by.accountRecord.directory ?? by.account];

/** Placeholders of a statement that is written down once: $2, $3, ... */
function placeholdersAfter(used: number): () => string {
  let number = used;
  return () => `$${++number}`;
}

/** A column of organization ids, held against the internal organizations of the account of the call. */
export const isInternal = (column: string, by: Caller): Clause => ({
  key: `${column} internal`,
  sql: (alias, next) => `${alias}.${column} IN (${buildInternalOrganizationsSql(next)})`,
  values: accountAndDirectory(by),
});

export const isMineOrBelow = (column: string, by: Caller): Clause => ({
  key: `${column} mine or below`,
  sql: (alias, next) => `${alias}.${column} IN (${buildDescendantsSql(`SELECT ${next()}::integer AS id`)})`,
  values: [by.me.organization],
});

const selectAncestors = statement(
  `WITH RECURSIVE chain AS (
  SELECT id, parent_id, business_unit, 1 AS depth FROM organizations WHERE id = $1
  UNION SELECT o.id, o.parent_id, o.business_unit, depth + 1 FROM organizations o JOIN chain ON o.id = chain.parent_id WHERE depth < 1000
) SELECT id, business_unit FROM chain ORDER BY depth`,
);
const selectIsInternal = statement(`SELECT $1::integer IN (${buildInternalOrganizationsSql(placeholdersAfter(1))})`);
const selectIsRoot = statement("SELECT $1::integer IN (SELECT organization_id FROM accounts WHERE id IN ($2, $3))");
const selectRegion = statement("SELECT region FROM organizations WHERE id = $1");

/** Where it will stand decides: below an internal organization, or at the root of the account itself. */
async function willBeInternal({ tx, id, after, by }: Change): Promise<boolean> {
  const accounts = accountAndDirectory(by);
  const rows =
    after.parent === null
      ? await tx.query(selectIsRoot, [id, ...accounts])
      : await tx.query(selectIsInternal, [after.parent as number, ...accounts]);
  return rows[0]?.[0] === "t";
}

async function beforeSave(change: Change): Promise<void> {
  const { after, before, id, changed, tx } = change;
  if (changed.has("parent") && after.parent !== null) {
    const chain = await tx.query(selectAncestors, [after.parent as number]);
    if (after.parent === id || chain.some(([ancestor]) => Number(ancestor) === id))
      change.problem("parent", "may not contain a loop");
  }
  const internal = await willBeInternal(change);
  const unit = await findBusinessUnit(change);
  if (after.business_unit === true) {
    if (internal) return;
    change.problem("business_unit", "is only for internal organizations");
    if (changed.has("region") && after.region !== null) change.problem("region", "is only for internal organizations");
    return;
  }
  // What is no business unit has the region of the unit it belongs to, and none of its own.
  const inherited = unit === null ? null : ((await tx.query(selectRegion, [unit]))[0]?.[0] ?? null);
  if (changed.has("region") && after.region !== null && after.region !== inherited)
    change.problem("region", internal ? "is only for business units" : "is only for internal organizations");
  else if (before === null || changed.has("parent") || changed.has("business_unit") || changed.has("region"))
    after.region = inherited;
}

/** Itself when it is a business unit, otherwise the nearest one above it. */
async function findBusinessUnit({ tx, id, after }: Change): Promise<number | null> {
  if (after.business_unit === true) return id;
  if (after.parent === null) return null;
  const chain = await tx.query(selectAncestors, [after.parent as number]);
  const unit = chain.find(([, isUnit]) => isUnit === "t");
  return unit === undefined ? null : Number(unit[0]);
}

// Descendants that are no business units themselves belong to the unit above them and take its region.
const updateDescendants = statement(
  `WITH RECURSIVE tree AS (
  SELECT id FROM organizations WHERE parent_id = $1 AND NOT business_unit
  UNION SELECT o.id FROM organizations o JOIN tree ON o.parent_id = tree.id WHERE NOT o.business_unit
) UPDATE organizations SET business_unit_organization_id = $2, region = $3
WHERE id IN (SELECT id FROM tree) AND account_id = $4`,
);

export const organizationRules: TypeRules = {
  conditions: {
    "is internal": (by) => isInternal("id", by),
    "is external": (by) => {
      const internal = isInternal("id", by);
      return { key: "external", sql: (alias, next) => `NOT ${internal.sql(alias, next)}`, values: internal.values };
    },
    "belongs to a trusted account": (by) => ({
      key: "trusted",
      sql: (alias, next) =>
        `${alias}.id IN (SELECT t.organization_id FROM accounts t JOIN account_trusts s ON s.trusted_account_id = t.id WHERE s.account_id = ${next()} AND s.status = 'accepted')`,
      values: [by.account],
    }),
    "is my organization or one below it": (by) => isMineOrBelow("id", by),
  },
  beforeSave: beforeSave,
  // What is above a new organization is not changed by making it.
  conflictKeys: (members, isNew) =>
    isNew || !["parent", "business_unit", "region"].some((name) => name in members) ? [] : null,
  derive: { "the business unit it belongs to": findBusinessUnit },
  async afterSave({ tx, id, before, after, by }) {
    const unit = after.business_unit_organization as number | null;
    if (before === null || (before.business_unit_organization === unit && before.region === after.region)) return;
    tx.send(updateDescendants, [id, unit, after.region as string | null, by.account]);
  },
};
