import { organization } from "../../../records/people/organization.ts";
import { statement } from "../../database/database.ts";
import { parseBoolean, parseNumberOrNull } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";

// Internal organizations are the organization that an account was created for, and its descendants.

type OrganizationChange = Change<typeof organization>;

const buildDescendantsSql = (roots: string) =>
  `WITH RECURSIVE tree AS (${roots} UNION SELECT o.id FROM organizations o JOIN tree ON o.parent_id = tree.id) SELECT id FROM tree`;
const buildInternalOrganizationsSql = (next: () => string) =>
  buildDescendantsSql(
    `SELECT organization_id AS id FROM accounts WHERE id IN (${next()}, ${next()}) AND organization_id IS NOT NULL`,
  );
/** Internal organizations are those of these accounts, and all below them. */
export const getAccountAndDirectory = (by: Caller): string[] => [by.account, by.accountRecord.directory ?? by.account];

/** The placeholders of a named statement after the first few: $2, $3, ... */
function placeholdersAfter(used: number): () => string {
  let number = used;
  return () => `$${++number}`;
}

/** Rows whose column holds the id of an internal organization of the account of the call. */
export const isInternal = (column: string, by: Caller): Clause => ({
  key: `${column} internal`,
  sql: (alias, next) => `${alias}.${column} IN (${buildInternalOrganizationsSql(next)})`,
  values: getAccountAndDirectory(by),
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

/** The new parent decides: an organization is internal below an internal one, or as the root of the account itself. */
async function willBeInternal({ tx, id, after, by }: OrganizationChange): Promise<boolean> {
  const accounts = getAccountAndDirectory(by);
  const rows =
    after.parent === null
      ? await tx.query(selectIsRoot, [id, ...accounts])
      : await tx.query(selectIsInternal, [after.parent, ...accounts]);
  return parseBoolean(rows[0]?.[0]);
}

async function beforeSave(change: OrganizationChange): Promise<void> {
  const { after, before, id, changed, tx } = change;
  if (changed.has("parent") && after.parent !== null) {
    const chain = await tx.query(selectAncestors, [after.parent]);
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
  // Only a business unit has a region of its own; other organizations take the region of their unit.
  const inherited = unit === null ? null : ((await tx.query(selectRegion, [unit]))[0]?.[0] ?? null);
  if (changed.has("region") && after.region !== null && after.region !== inherited)
    change.problem("region", internal ? "is only for business units" : "is only for internal organizations");
  else if (before === null || changed.has("parent") || changed.has("business_unit") || changed.has("region"))
    after.region = inherited;
}

/** The organization itself if it is a business unit, else the nearest one among its ancestors. */
async function findBusinessUnit({ tx, id, after }: OrganizationChange): Promise<number | null> {
  if (after.business_unit === true) return id;
  if (after.parent === null) return null;
  const chain = await tx.query(selectAncestors, [after.parent]);
  return parseNumberOrNull(chain.find(([, isUnit]) => parseBoolean(isUnit))?.[0]);
}

// Descendants down to the next business unit belong to this unit and take its region.
const updateDescendants = statement(
  `WITH RECURSIVE tree AS (
  SELECT id FROM organizations WHERE parent_id = $1 AND NOT business_unit
  UNION SELECT o.id FROM organizations o JOIN tree ON o.parent_id = tree.id WHERE NOT o.business_unit
) UPDATE organizations SET business_unit_organization_id = $2, region = $3, revision = revision + 1
WHERE id IN (SELECT id FROM tree) AND account_id = $4`,
);

export const organizationRules = rulesFor(organization, {
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
  beforeSave,
  // A new organization does not change its ancestors, so several can be saved in one batch.
  conflictKeys: (members, isNew) =>
    isNew || !["parent", "business_unit", "region"].some((name) => name in members) ? [] : null,
  derive: { "the business unit it belongs to": findBusinessUnit },
  afterSave({ tx, id, before, after, by }) {
    const unit = after.business_unit_organization;
    if (before === null || (before.business_unit_organization === unit && before.region === after.region)) return;
    tx.send(updateDescendants, [id, unit, after.region, by.account]);
  },
});
