import { enumerations } from "../../../records/enumerations/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { publish } from "../../engine/publish.ts";
import { insertPermissions, parseCommaSeparated } from "../../rules/people/person.ts";

// AZ13. The command line may grant every role that the account can have.

const isDirectory = statement("SELECT 1 FROM accounts WHERE directory_account_id = $1 LIMIT 1");
const becomeOwner = statement("UPDATE accounts SET owner_id = $2 WHERE id = $1 AND owner_id IS NULL");
const roles: readonly string[] = enumerations["permission.role"];

/** Parses "specialist, auditor"; refuses roles that do not exist. */
export function parseRoles(text: string): string[] {
  const named = parseCommaSeparated(text);
  const unknown = named.find((role) => !roles.includes(role));
  if (unknown !== undefined) throw new OperatorError(`Unknown role "${unknown}". Valid roles: ${roles.join(", ")}.`);
  return named;
}

/** Grants roles to a new person. The first administrator of an account without an owner becomes its owner. */
export async function grantRoles(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  { person, account, roles: granted }: { person: number; account: string; roles: readonly string[] },
): Promise<void> {
  if (granted.length === 0) return;
  const directoryRole = granted.find((role) => role.startsWith("directory_"));
  if (directoryRole !== undefined && (await tx.query(isDirectory, [account])).length === 0)
    throw new OperatorError(
      `${directoryRole} is available only in directory accounts, and no account uses ${account} as its directory.`,
    );
  tx.send(insertPermissions, [account, person, granted, toTimestamp(by.now)]);
  if (granted.includes("account_administrator")) tx.send(becomeOwner, [account, person]);
  await publish(engine, tx, by, {
    type: engine.types.get("person"),
    id: person,
    account,
    action: "update",
    changes: { roles: [[], granted] },
    before: null,
    after: null,
    events: ["person.update"],
  });
}
