import type { Field } from "../../../records/vocabulary/index.ts";
import { Invalid, OperatorError, type Problem } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Account } from "../../engine/caller.ts";
import { create } from "../../engine/create.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Values } from "../../engine/rules.ts";
import { pickDefault, readInput } from "../../engine/write/input.ts";
import { toSqlValue } from "../../engine/write/write-row.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { type AccountSource, buildAdministratorCaller, findAccount } from "./administrator-caller.ts";

// The REST API cannot create accounts, and neither can the engine: an account has a text id, belongs to no account, and
// needs an organization that can only be created inside it.

type NewAccount = {
  id: string;
  /** the account whose people, organizations and sites it shares */
  directory?: string | undefined;
  /** further fields of the record type, by their names */
  fields: Readonly<Record<string, unknown>>;
};

const newAccountDefaults: Omit<Account, "id" | "name"> = {
  directory: null,
  locale: "en-US",
  time_zone: "UTC",
  time_format_24h: true,
  currency: "eur",
  organization: null,
  trusts: [],
  trustedBy: [],
  servedBy: [],
};
const setOrganization = statement("UPDATE accounts SET organization_id = $2 WHERE id = $1");

export const isAccountId = (text: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 60;

/** `engine` must be bound to `tx` (one-transaction.ts). */
export async function createAccount(
  engine: Engine,
  tx: Transaction,
  input: NewAccount,
  source: AccountSource,
  now: Date,
): Promise<Account> {
  const { id } = input;
  if (!isAccountId(id))
    throw new OperatorError(`Invalid account ID "${id}". Use lowercase letters, digits and single hyphens.`);
  if ((await findAccount(engine.database, id)) !== null) throw new OperatorError(`Account ${id} already exists.`);
  const directory = input.directory === undefined ? null : await requireDirectory(engine, input.directory);

  const unsaved: Account = { ...newAccountDefaults, id, name: id };
  const values = parseAccountValues(engine, input.fields, unsaved, source, now);
  const type = engine.types.get("account");
  const columns = [...type.columns].filter(([name]) => name !== "id");
  tx.send(
    statement(
      `INSERT INTO accounts (id, ${columns.map(([, column]) => quoteIdentifier(column)).join(", ")}) VALUES ($1, ${columns.map((_, index) => `$${index + 2}`).join(", ")})`,
    ),
    [
      id,
      ...columns.map(
        ([name]) =>
          name === "directory_account"
            ? (directory?.id ?? null)
            : name === "organization"
              ? (directory?.organization ?? null)
              : toSqlValue(type.fields[name] as Field, values[name]), // columns are those of fields
      ),
    ],
  );
  const account = await findAccount(engine.database, id);
  if (account === null) throw new Error(`account ${id} is not there after it was inserted`);
  if (directory !== null) return account;
  const by = buildAdministratorCaller(account, source, now);
  const body = { members: { name: account.name } };
  const organization = await create(engine, by, engine.types.get("organization"), body);
  tx.send(setOrganization, [id, organization.id]);
  return { ...account, organization: organization.id };
}

async function requireDirectory(engine: Engine, id: string): Promise<Account> {
  const directory = await findAccount(engine.database, id);
  if (directory === null) throw new OperatorError(`Account not found: ${id}`);
  if (directory.directory !== null)
    throw new OperatorError(`${id} is a support domain of ${directory.directory}. Use ${directory.directory} instead.`);
  return directory;
}

/** Validates the values as the engine does for other records. */
function parseAccountValues(
  engine: Engine,
  members: Readonly<Record<string, unknown>>,
  account: Account,
  source: AccountSource,
  now: Date,
): Values {
  const type = engine.types.get("account");
  const by = buildAdministratorCaller(account, source, now);
  const input = readInput(type, { members, strict: true }, by, "create");
  const problems: Problem[] = [...input.problems];
  const moment = `${now.toISOString().slice(0, 19)}Z`;
  const values: Values = { created_at: moment, updated_at: moment };
  for (const [name, field] of Object.entries(type.fields)) {
    values[name] ??= input.values[name] ?? pickDefault(field, by) ?? null;
    if (field.access === "required" && values[name] === null && !problems.some(([field]) => field === name))
      problems.push([name, "can't be blank"]);
  }
  if (problems.length > 0) throw new Invalid(problems);
  return values;
}
