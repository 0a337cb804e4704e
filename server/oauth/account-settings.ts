import type { Field } from "../../records/vocabulary/index.ts";
import { Invalid, NotFound, type Problem } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { readInput } from "../engine/write/input.ts";
import { toSqlValue } from "../engine/write/write-row.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { changeAccess, type Oauth } from "./oauth-context.ts";
import { recordSecurityEvent } from "./security-trail.ts";

// The fields of an account that its administrators change. They are no record of the account, so the standard routes of
// record types do not reach them.

const settings = [
  ...["name", "currency", "locale", "time_zone", "time_format_24h", "start_of_week", "strong_privacy"],
] as const;

export async function changeAccountSettings(
  engine: Engine,
  oauth: Pick<Oauth, "database" | "clock" | "identities">,
  by: Caller,
  given: Readonly<Record<string, unknown>>,
  address: string,
): Promise<void> {
  const type = engine.types.get("account");
  const unknown = Object.keys(given).filter((name) => !settings.includes(name as (typeof settings)[number]));
  if (unknown.length > 0) throw new Invalid(unknown.map((name): Problem => [name, "is not valid"]));
  const input = readInput(type, { members: { ...given }, strict: true }, by, "update");
  const problems: Problem[] = [...input.problems];
  const changes = settings.filter((name) => Object.hasOwn(given, name));
  for (const name of changes) {
    const value = input.values[name];
    const isBlank = value === null || value === undefined || value === "";
    if (isBlank && !problems.some(([field]) => field === name)) problems.push([name, "can't be blank"]);
  }
  if (problems.length > 0) throw new Invalid(problems);
  if (changes.length === 0) return;
  const columns = changes.map((name) => quoteIdentifier(type.columns.get(name) ?? name));
  const before = statement(
    `SELECT json_build_object(${changes.map((name, at) => `'${name}', ${columns[at]}`).join(", ")}) FROM accounts WHERE id = $1 FOR UPDATE`,
  );
  const update = statement(
    `UPDATE accounts SET ${columns.map((column, at) => `${column} = $${at + 3}`).join(", ")}, updated_at = $2 WHERE id = $1`,
  );
  await changeAccess(oauth, async (tx, now) => {
    const [row] = await tx.query(before, [by.account]);
    if (row === undefined) throw new NotFound();
    const old = JSON.parse(row[0] ?? "{}") as Record<string, unknown>;
    const changed = changes.filter((name) => old[name] !== input.values[name]);
    if (changed.length === 0) return;
    tx.send(update, [
      by.account,
      now,
      ...changes.map((name) => toSqlValue(type.fields[name] as Field, input.values[name])),
    ]);
    const details = Object.fromEntries(changed.map((name) => [name, [old[name] ?? null, input.values[name] ?? null]]));
    recordSecurityEvent(tx, now, {
      ...{ account: by.account, person: by.person, event: "account-changed" as const, details, address },
    });
  });
}
