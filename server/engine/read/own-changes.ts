import { toTimestamp } from "../../base/clock.ts";
import { markTable } from "../../schema/layout/account-tables.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { type Caller, listReachableAccounts } from "../caller.ts";
import { anyOf, type Clause } from "../sql/clauses.ts";
import type { Type } from "../types.ts";

// Whether a caller has changed anything since a total was counted (D-785). The audit trail knows it for all processes, and the
// newest line of a person in an account is one look into an index, so the statement of a page asks along with its rows.

/**
 * A change gets its time before its commit, and machines differ in their clocks: changes from so long before the count may not
 * be in it.
 */
const margin = 5000;
/** A caller who reaches more accounts gets a new count instead. */
const maxAccounts = 16;

/** Null: there are too many accounts to ask. */
export function buildOwnChangesCheck(type: Type, by: Caller, countedAt: Date): Clause | null {
  const accounts = listReachableAccounts(by);
  if (accounts.length > maxAccounts) return null;
  const since = toTimestamp(new Date(countedAt.getTime() - margin));
  const author = type.storage.audited ? undefined : findAuthorColumn(type);
  const trails = [auditTrail, ...(author === undefined ? [] : [{ table: type.table, person: author }])];
  return anyOf(trails.flatMap((trail) => accounts.map((account) => isNewestSince(trail, account, by.person, since))));
}

/** Of types without audit lines: the reference to the person who created the record. */
function findAuthorColumn(type: Type): string | undefined {
  const author = Object.entries(type.fields).find(
    ([, { default: given }]) => given !== undefined && "caller" in given && given.caller === "person",
  );
  return author === undefined ? undefined : type.columns.get(author[0]);
}

/** A table with the changes of people, and the column of the person. */
type Trail = { table: string; person: string };
const auditTrail: Trail = { table: "audit_lines", person: "created_by_id" };

const isNewestSince = (trail: Trail, account: string, person: number, since: string): Clause => ({
  key: `own ${trail.table}`,
  sql(_alias, next) {
    const of = next();
    return `coalesce((SELECT w.created_at >= ${next()}::timestamptz FROM ${markTable(trail.table, of)} w
  WHERE w.account_id = ${of} AND w.${quoteIdentifier(trail.person)} = ${next()} ORDER BY w.id DESC LIMIT 1), false)`;
  },
  values: [account, since, person],
});
