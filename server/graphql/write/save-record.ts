import { listAdministeredAccounts, saveRoles } from "../../actions/permissions.ts";
import { Forbidden, Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { mayCreate, rolesIn } from "../../engine/access.ts";
import { createInTransaction, type ParentContext } from "../../engine/create.ts";
import { deleteInTransaction } from "../../engine/delete.ts";
import { requireRecord } from "../../engine/find.ts";
import { linkByNameInTransaction, linkInTransaction, loadLinkedIds, unlinkInTransaction } from "../../engine/links.ts";
import { buildChildScope } from "../../engine/nested-scope.ts";
import type { Operation } from "../../engine/operation.ts";
import type { Values } from "../../engine/rules.ts";
import type { Type } from "../../engine/types.ts";
import { updateInTransaction } from "../../engine/update.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";
import type { CallContext } from "../call-context.ts";
import { type InputField, listInputFields } from "../model/input-fields.ts";
import type { MadeInput } from "../model/made-fields.ts";
import { parseIdOf } from "../read/record-source.ts";
import { type MutationInput, readIds, readMembers } from "./read-input.ts";

// Saves a record with its links and children in one transaction, through the functions that REST uses.

/** The problems with the input, with the path of the member. */
export type PathProblem = { path: readonly string[]; problem: Problem };

export class InvalidInput extends Error {
  readonly problems: readonly PathProblem[];
  constructor(problems: readonly PathProblem[]) {
    super("Validation Failed");
    this.problems = problems;
  }
}

export type SavedRecord = { id: number; revealed: Values };

/** `id`: null creates a record. */
export async function saveRecord(
  context: CallContext,
  type: Type,
  id: number | null,
  input: MutationInput,
): Promise<SavedRecord> {
  const { engine, by, domain } = context;
  const fields = listInputFields(type, engine.types, id === null ? "create" : "update");
  const { body, paths } = readMembers({ domain, types: engine.types }, fields, input);
  try {
    return await engine.database.transaction(async (tx) => {
      const operation: Operation = { engine, tx, by, type };
      const revealed: Values = {};
      const savedId = await withPaths([], paths, async () => {
        if (id !== null) {
          await updateInTransaction(operation, id, body, { revealed });
          return id;
        }
        const parent = await findParent(operation, body.members);
        return (await createInTransaction(operation, body, parent, revealed)).id;
      });
      for (const field of fields) {
        const given = input[field.name];
        if (given !== undefined) await savePart(context, operation, savedId, field, given);
      }
      return { id: savedId, revealed };
    }, by.zone);
  } catch (error) {
    const translated = error instanceof InvalidInput ? error : translateDatabaseError(type, error);
    throw translated instanceof Invalid ? new InvalidInput(addPaths(translated, [], paths)) : translated;
  }
}

/** People who may change the parent may create records below it, even without the role to create them. */
async function findParent(
  { engine, tx, by, type }: Operation,
  members: Readonly<Record<string, unknown>>,
): Promise<ParentContext | undefined> {
  if (mayCreate(type, by)) return undefined;
  const below = type.createdUnder.find(({ field }) => typeof members[field] === "number");
  if (below === undefined) return undefined;
  const id = members[below.field] as number;
  const account = await requireRecord(engine, by, engine.types.get(below.parent), id, "update", tx);
  return { fixed: { [below.field]: id }, account };
}

const addPaths = (
  { problems }: Invalid,
  prefix: readonly string[],
  paths: ReadonlyMap<string, string>,
): PathProblem[] =>
  problems.map((problem) => {
    const member = problem[0] === "base" ? [] : [paths.get(problem[0]) ?? problem[0]];
    return { path: [...prefix, ...member], problem };
  });

/** Messages of the engine name fields: the client gets the path of the member that it sent. */
async function withPaths<T>(
  prefix: readonly string[],
  paths: ReadonlyMap<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Invalid) throw new InvalidInput(addPaths(error, prefix, paths));
    // A part that does not exist is a mistake in the input; a record that does not exist is an error of the mutation.
    if (error instanceof NotFound && prefix.length > 0)
      throw new InvalidInput([{ path: prefix, problem: ["id", "is not valid"] }]);
    throw error;
  }
}

const noPaths: ReadonlyMap<string, string> = new Map();

async function savePart(
  context: CallContext,
  operation: Operation,
  id: number,
  field: InputField,
  given: unknown,
): Promise<void> {
  const { engine, by } = operation;
  const input = { domain: context.domain, types: engine.types };
  const refuse = (): never => {
    throw new InvalidInput([{ path: [field.name], problem: ["id", "is not valid"] }]);
  };
  if (field.is === "links") {
    const wanted = readIds(input, engine.types.get(field.target), given) ?? refuse();
    const current = await loadLinkedIds(operation, id, field.link);
    await withPaths([field.name], noPaths, async () => {
      for (const other of current)
        if (!wanted.includes(other)) await unlinkInTransaction(operation, id, field.link, other);
      for (const other of new Set(wanted))
        if (!current.includes(other)) await linkInTransaction(operation, id, field.link, other);
    });
  }
  if (field.is === "made" && field.made.member === "roles")
    await withPaths([field.name], noPaths, () => savePermissions(context, operation, id, field.made, given));
  if (field.is === "unlink") {
    const others = readIds(input, engine.types.get(field.target), given) ?? refuse();
    await withPaths([field.name], noPaths, async () => {
      for (const other of others) await unlinkInTransaction(operation, id, field.link, other);
    });
  }
  if (field.is === "new by name")
    for (const [index, entry] of ((given as MutationInput[] | null) ?? []).entries())
      await withPaths([field.name, String(index)], noPaths, async () => {
        const { id: given, ...members } = entry;
        const other = given == null ? null : (readIds(input, engine.types.get(field.target), [given]) ?? refuse())[0];
        if (other == null) await linkByNameInTransaction(operation, id, field.link, { members });
        else await linkInTransaction(operation, id, field.link, other);
      });
  if (field.is === "new children" || field.is === "delete children") {
    const { addedBy, roles } = operation.type.children[field.child] ?? {};
    const purpose = addedBy === "readers" && field.is === "new children" ? "link to" : "update";
    const account = await requireRecord(engine, by, operation.type, id, purpose, operation.tx);
    if (roles !== undefined && !roles.some((role) => rolesIn(by, account).has(role))) throw new Forbidden();
    if (field.is === "new children") await saveChildren(context, operation, { id, account }, field, given);
    else {
      const child = engine.types.get(field.of);
      const scope = buildChildScope(engine, operation.type, field.child, id);
      const ids = readIds(input, child, given) ?? refuse();
      await withPaths([field.name], noPaths, async () => {
        for (const each of ids) await deleteInTransaction({ ...operation, type: child }, each, { scope });
      });
    }
  }
}

type PermissionInput = { accountId: string; roles?: readonly string[] | null };

/** Roles in accounts; `permissions` takes those that it does not name, as far as the caller administers the account. */
async function savePermissions(
  { loadAccounts }: CallContext,
  { engine, by, tx }: Operation,
  person: number,
  { make }: MadeInput,
  given: unknown,
): Promise<void> {
  const context = { engine, by, accounts: await loadAccounts() };
  const inputs = (given ?? []) as readonly (PermissionInput | string)[];
  const named = inputs.map((each) => (typeof each === "string" ? each : each.accountId));
  for (const each of inputs) {
    const [account, roles] = typeof each === "string" ? [each, null] : [each.accountId, each.roles ?? []];
    const mode = make === "added permissions" ? "add" : "replace";
    await saveRoles(context, tx, { person, account }, roles, mode);
  }
  if (make === "permissions")
    for (const account of await listAdministeredAccounts(context, person))
      if (!named.includes(account)) await saveRoles(context, tx, { person, account }, null, "replace");
}

async function saveChildren(
  { domain }: CallContext,
  operation: Operation,
  parent: { id: number; account: string },
  field: Extract<InputField, { is: "new children" }>,
  given: unknown,
): Promise<void> {
  const { engine, type } = operation;
  const child = engine.types.get(field.of);
  const childOperation = { ...operation, type: child };
  const members = listInputFields(child, engine.types, "child");
  const by = type.children[field.child]?.by ?? type.name;
  for (const [index, entry] of ((given as MutationInput[] | null) ?? []).entries()) {
    const { body, paths } = readMembers({ domain, types: engine.types }, members, entry);
    const prefix = [field.name, String(index)];
    await withPaths(prefix, paths, async () => {
      if (entry.id == null) {
        await createInTransaction(childOperation, body, { fixed: { [by]: parent.id }, account: parent.account });
        return;
      }
      const id = parseIdOf(String(entry.id), child, domain, engine.types);
      if (id === null || !field.verbs.includes("update")) throw new NotFound();
      const scope = buildChildScope(engine, type, field.child, parent.id);
      await updateInTransaction(childOperation, id, body, { scope });
    });
  }
}
