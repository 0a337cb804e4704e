import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { isReference } from "../../engine/kinds/reference.ts";
import type { Type } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";

// The data stored about a person: the record itself, every record that refers to it, and data of the service that is not a record.
// It follows from the declarations: a type contains personal data if it declares `deletion.anonymous`.

/** `from`: the rows `a` of the record $1 with the address $2 in the accounts $3; `row`: a row as JSON */
export type StoredPart = { name: string; from: string; row: string };

/** Rows of the service. Secrets and their hashes are no data about a person. */
const serviceParts: readonly { name: string; table: string; where: string; without?: readonly string[] }[] = [
  { name: "roles", table: "permissions", where: "a.person_id = $1" },
  { name: "tokens", table: "tokens", where: "a.person_id = $1", without: ["secret_hash"] },
  { name: "sessions", table: "sessions", where: "a.person_id = $1", without: ["secret_hash"] },
  { name: "identity_links", table: "identity_links", where: "a.person_id = $1" },
  { name: "passkeys", table: "passkeys", where: "a.person_id = $1", without: ["credential_id", "public_key"] },
  { name: "security_trail", table: "security_events", where: "a.person_id = $1" },
  { name: "sent_mails", table: "mails", where: "a.person_id = $1 OR lower(a.recipient) = lower($2)" },
  {
    name: "received_mails",
    table: "received_mails",
    where: "a.person_id = $1 OR lower(a.sender) = lower($2)",
    without: ["raw"],
  },
  { name: "notifications", table: "page_notifications", where: "a.person_id = $1" },
  { name: "views_and_drafts", table: "kept_items", where: "a.person_id = $1" },
];

/** The parts of what is stored about a record of the type, in a fixed order. */
export function listStoredParts(engine: Engine, subject: Type): StoredPart[] {
  const parts: StoredPart[] = [];
  for (const type of engine.types.all) {
    const columns = Object.entries(type.fields).flatMap(([name, field]) => {
      const column = type.columns.get(name);
      return isReference(field) && field.to === subject.name && column !== undefined ? [quoteIdentifier(column)] : [];
    });
    const conditions = columns.map((column) => `a.${column} = $1`);
    if (type === subject) conditions.unshift("a.id = $1");
    if (conditions.length === 0 || type.routes.singleton) continue;
    parts.push({
      name: type.collection,
      from: `${type.ownTable} a WHERE (${conditions.join(" OR ")}) AND a.account_id = ANY($3::text[]) AND $2::text IS NOT NULL`,
      row: buildRow(type),
    });
  }
  for (const { name, table, where, without = [] } of serviceParts)
    parts.push({
      name,
      from: `${table} a WHERE (${where}) AND a.account_id = ANY($3::text[]) AND $2::text IS NOT NULL`,
      row: `to_jsonb(a)${without.map((column) => ` - '${column}'`).join("")}`,
    });
  return parts;
}

/** The stored fields that callers can read, under their names. */
function buildRow(type: Type): string {
  const hidden = Object.entries(type.fields)
    .filter(([, field]) => field.access === "writeonly")
    .flatMap(([name]) => type.columns.get(name) ?? []);
  return `to_jsonb(a)${hidden.map((column) => ` - '${column}'`).join("")}`;
}

/** Of whom: the record, its email address, and the accounts whose data an administrator of its account answers for. */
export type Subject = { id: number; name: string; email: string; accounts: string[] };

const selectAccounts = statement("SELECT id FROM accounts WHERE id = $1 OR directory_account_id = $1 ORDER BY id");

export async function loadSubject(engine: Engine, type: Type, id: number, account: string): Promise<Subject | null> {
  const [[row], accounts] = await Promise.all([
    engine.database.read(
      statement(`SELECT name, primary_email FROM ${type.ownTable} WHERE id = $1 AND account_id = $2`),
      [id, account],
    ),
    engine.database.read(selectAccounts, [account]),
  ]);
  if (row === undefined) return null;
  return { id, name: row[0] ?? "", email: row[1] ?? "", accounts: accounts.map(([other]) => other as string) };
}

/** How much there is, by part. */
export async function countStoredData(
  engine: Engine,
  by: Caller,
  type: Type,
  subject: Subject,
): Promise<{ name: string; count: number }[]> {
  const parts = listStoredParts(engine, type);
  const query = statement(parts.map(({ from }, index) => `SELECT ${index}, count(*) FROM ${from}`).join(" UNION ALL "));
  const rows = await engine.database.readMany(query, [subject.id, subject.email, subject.accounts], by);
  return rows
    .map(([index, count]) => ({ name: (parts[Number(index)] as StoredPart).name, count: Number(count) }))
    .filter(({ count }) => count > 0);
}
