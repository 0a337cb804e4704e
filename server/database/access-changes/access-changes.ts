// Statements that change cached access data: people, roles, tokens, accounts and their policies. The database class
// notifies every process in the transaction of such a statement (D-664).

/** A table, and the changes to its rows that count. Inserts of tokens and sessions do not: missing rows are not cached. */
type AccessChanges = { insert?: true; update?: true | readonly string[]; delete?: true };

const everything: AccessChanges = { insert: true, update: true, delete: true };

// biome-ignore format: a table keeps its columns
export const accessChanges: Readonly<Record<string, AccessChanges>> = {
  accounts:             everything,
  account_trusts:       everything,
  permissions:          everything,
  sign_in_policies:     everything,
  // Roles and tokens are deleted with their person.
  people:               { update: ["disabled", "time_zone", "locale", "organization_id", "site_id", "life_cycle"], delete: true },
  // An agreement that names the account of a customer makes that account a viewer of requests.
  slas:                 { insert: true, update: ["customer_account_id"], delete: true },
  tokens:               { update: ["secret_hash", "scopes", "person_id"], delete: true },
  sessions:             { delete: true },
  oauth_applications:   { update: ["scopes", "disabled", "person_id"], delete: true },
  oauth_clients:        { update: ["disabled"], delete: true },
  oauth_authorizations: { delete: true },
  scim_tokens:          { update: ["expires_at"], delete: true },
};

export const accessChannel = "access_changed";

const write = new RegExp(
  `\\b(INSERT INTO|UPDATE|DELETE FROM) (?:"?public"?\\.)?"?(${Object.keys(accessChanges).join("|")})"?(?![\\w"])`,
  "g",
);
const updateOnConflict = /\bDO UPDATE SET\b/;

/** Whether a statement may change access. One that cannot be understood counts as if it did: that only empties a cache. */
export function changesAccess(text: string): boolean {
  for (const { 1: verb, 2: table = "", index, 0: match } of text.matchAll(write)) {
    const changes = accessChanges[table] ?? {};
    if (verb === "DELETE FROM" ? changes.delete : verb === "INSERT INTO" && changes.insert) return true;
    if (verb === "DELETE FROM") continue;
    const rest = text.slice(index + match.length);
    if (verb === "INSERT INTO" && !updateOnConflict.test(rest)) continue;
    if (changes.update === true || changes.update?.some((column) => mayAssign(rest, column))) return true;
  }
  return false;
}

/** `rest`: the statement from the name of its table on. */
function mayAssign(rest: string, column: string): boolean {
  const assignments = /\bSET\b(.*?)(?:\b(?:WHERE|RETURNING|(?<!DISTINCT )FROM)\b|$)/s.exec(dropNested(rest))?.[1];
  if (assignments === undefined || /^\s*=/.test(assignments)) return true; // several columns in parentheses
  return new RegExp(`(?:^|,)\\s*"?${column}"?\\s*=`).test(assignments);
}

/** Without texts and parentheses, up to the end of the statement, which may itself be in parentheses. */
function dropNested(sql: string): string {
  let rest = sql.replaceAll(/'(?:[^']|'')*'/g, "");
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\([^()]*\)/g, "");
  }
  return rest.split(")", 1)[0] as string;
}
