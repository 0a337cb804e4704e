import { isDeepStrictEqual } from "node:util";
import { statement } from "../../database/database.ts";
import { createUnchecked } from "../../engine/change.ts";
import { deleteInTransaction } from "../../engine/delete.ts";
import type { Operation } from "../../engine/operation.ts";
import type { Values } from "../../engine/rules.ts";
import { isObject } from "../filter/match-filter.ts";

// Contacts and addresses of a person that came from the identity provider: they carry the integration flag and are replaced
// as a whole; those that people entered stay.

type Entry = Readonly<Record<string, string | null>>;
type Given = Readonly<Record<string, unknown>>;

const readText = (value: unknown, max: number): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, max) : null;

const phoneLabels: Record<string, string> = { mobile: "mobile", home: "home", fax: "fax" };

/** A phone number, or an email address beside the primary one. */
function toContact(given: Given): Entry | null {
  const value = readText(given.value, 255);
  const type = String(given.type ?? "").toLowerCase();
  if (value === null) return null;
  return value.includes("@")
    ? { label: type === "work" ? "work" : "personal", telephone: null, email: value }
    : { label: phoneLabels[type] ?? "work", telephone: value, email: null };
}

function toAddress(given: Given): Entry | null {
  const street = readText(given.street_address ?? given.formatted, 1024);
  const entry = {
    address: street,
    city: readText(given.locality, 128),
    state: readText(given.region, 30),
    zip: readText(given.postal_code, 20),
    country: readText(given.country, 128),
  };
  if (Object.values(entry).every((value) => value === null)) return null;
  return { label: String(given.type ?? "").toLowerCase() === "home" ? "home" : "mailing", ...entry };
}

const kinds = {
  contacts: { type: "contact", read: toContact, columns: ["label", "telephone", "email"] },
  addresses: { type: "address", read: toAddress, columns: ["label", "address", "city", "state", "zip", "country"] },
} as const;
const selects = Object.fromEntries(
  Object.entries(kinds).map(([name, { columns }]) => [
    name,
    statement(`SELECT id, ${columns.join(", ")} FROM ${name} WHERE person_id = $1 AND integration ORDER BY id`),
  ]),
) as Record<keyof typeof kinds, ReturnType<typeof statement>>;

/** `given`: the entries of lists, which may be nested. Nothing is written where nothing differs. */
export async function replaceEntries(
  { engine, tx, by }: Pick<Operation, "engine" | "tx" | "by">,
  name: keyof typeof kinds,
  person: { id: number; account: string; isNew: boolean },
  given: unknown,
): Promise<void> {
  const { type: typeName, read, columns } = kinds[name];
  const type = engine.types.get(typeName);
  const wanted = [given]
    .flat(3)
    .filter(isObject)
    .map(read)
    .filter((entry) => entry !== null);
  const rows = person.isNew ? [] : await tx.query(selects[name], [person.id]);
  const present = rows.map(([, ...values]) =>
    Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null])),
  );
  if (isDeepStrictEqual(present, wanted)) return;
  const clause = {
    key: "person_id here",
    sql: (alias: string, next: () => string) => `${alias}.person_id = ${next()}`,
    values: [person.id],
  };
  for (const [id] of rows)
    await deleteInTransaction({ engine, tx, by, type }, Number(id), { scope: { rights: "of the parent", clause } });
  for (const entry of wanted)
    await createUnchecked({ engine, tx, by, type }, { ...entry, integration: true } as Values, {
      fixed: { person: person.id },
      account: person.account,
    });
}
