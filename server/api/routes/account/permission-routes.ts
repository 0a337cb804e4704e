import { enumerations } from "../../../../records/enumerations/index.ts";
import { toTimestamp } from "../../../base/clock.ts";
import { Forbidden, Invalid, NotFound } from "../../../base/errors.ts";
import { isAdministrator } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
import { list } from "../../../engine/list.ts";
import { publish } from "../../../engine/publish.ts";
import { holdsRole, insertPermissions, parseRoles } from "../../../rules/people/person.ts";
import { statement } from "../../../storage/database.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type ApiResponse, type Call, noContent, ok, type Route } from "../../http/route.ts";

// AZ14

const selectPermissions = statement(
  "SELECT account_id, role FROM permissions WHERE person_id = $1 ORDER BY account_id, role",
);
const deletePermissions = statement(
  "DELETE FROM permissions WHERE account_id = $1 AND person_id = $2 AND role = ANY($3::text[])",
);
const directoryRoles = new Set(["directory_auditor", "directory_designer", "directory_administrator"]);
/** Every other role needs the specialist role beside it. */
const rolesWithoutSpecialist = new Set([
  "specialist",
  "key_contact",
  "auditor",
  "account_designer",
  "account_administrator",
  "account_owner",
  ...directoryRoles,
]);
const allRoles: readonly string[] = enumerations["permission.role"];

type RoleChange = { add: readonly string[]; drop: readonly string[] };

export function permissionRoutes(api: Api): Route[] {
  const person = api.engine.types.get("person");
  const path = "/people/:id/permissions";
  const read = { type: "person", action: "Read" } as const;
  const write = { type: "person", action: "Update" } as const;

  const subject = (call: Call) => parseRecordId(call.params.id, person, api.domain);
  const known = async (call: Call, operation: "read" | "update" = "read"): Promise<{ id: number; account: string }> => {
    const id = subject(call);
    return { id, account: await requireRecord(call.engine, call.caller, person, id, operation) };
  };
  const permissions = async (call: Call, id: number): Promise<Map<string, string[]>> => {
    const accounts = new Map<string, string[]>();
    for (const [account, role] of await call.engine.database.read(selectPermissions, [id]))
      accounts.set(account as string, [...(accounts.get(account as string) ?? []), role as string]);
    return accounts;
  };
  const shown = async (account: string, roles: readonly string[]) => {
    const record = (await api.identities.getAccounts()).get(account);
    return {
      account: { id: account, name: record?.name ?? account },
      roles: allRoles.filter((role) => roles.includes(role)),
    };
  };
  /** Which of the accounts a caller may hear of: the own call's, and those the caller has a part in. */
  const visible = (call: Call, account: string) =>
    call.caller.memberAccounts.includes(account) || account === call.caller.account;
  const rolesOf = (call: Call): string[] =>
    call.query.filter((parameter) => parameter.name === "roles").flatMap((parameter) => parseRoles(parameter.value));

  const administered = async (call: Call): Promise<{ id: number; account: string }> => {
    const { id } = await known(call);
    const account = call.params.account ?? "";
    const accounts = await api.identities.getAccounts();
    if (!accounts.has(account) || !visible(call, account)) throw new NotFound();
    if (!isAdministrator(call.caller, account)) throw new Forbidden();
    return { id, account };
  };
  const change = async (
    call: Call,
    id: number,
    account: string,
    decide: (roles: readonly string[]) => RoleChange,
  ): Promise<void> => {
    await call.engine.database.transaction(async (tx) => {
      await tx.query(statement("SELECT 1 FROM people WHERE id = $1 FOR NO KEY UPDATE"), [id]);
      const current = (await tx.query(selectPermissions, [id]))
        .filter(([at]) => at === account)
        .map(([, role]) => role as string);
      const { add, drop } = decide(current);
      const added = add.filter((role) => !current.includes(role));
      const dropped = drop.filter((role) => current.includes(role));
      if (id === call.caller.person && dropped.length > 0) throw new Forbidden();
      if (added.length === 0 && dropped.length === 0) return;
      const after = [...current.filter((role) => !dropped.includes(role)), ...added];
      if (!after.includes("specialist") && after.some((role) => !rolesWithoutSpecialist.has(role)))
        throw new Invalid([["roles", "is not valid"]]);
      tx.send(insertPermissions, [account, id, added, toTimestamp(call.caller.now)]);
      tx.send(deletePermissions, [account, id, dropped]);
      await publish(call.engine, tx, call.caller, {
        type: person,
        id,
        account,
        action: "update",
        changes: { roles: [current, after] },
        before: null,
        after: null,
        events: ["person.update"],
      });
      tx.afterCommit(() => api.identities.invalidate());
    });
  };
  const checked = async (account: string, roles: readonly string[]): Promise<readonly string[]> => {
    const accounts = await api.identities.getAccounts();
    const isDirectory = [...accounts.values()].some((record) => record.directory === account);
    if (roles.length === 0) throw new Invalid([["roles", "can't be blank"]]);
    if (!isDirectory && roles.some((role) => directoryRoles.has(role))) throw new Invalid([["roles", "is not valid"]]);
    return roles;
  };
  const answer = async (call: Call, id: number, account: string): Promise<ApiResponse> =>
    ok(JSON.stringify(await shown(account, (await permissions(call, id)).get(account) ?? [])));
  const bodyRoles = async (call: Call): Promise<string[]> => {
    const fromQuery = rolesOf(call);
    if (fromQuery.length > 0) return fromQuery;
    const { roles } = (await call.body()).members;
    // A blank name is no role: taking it for "none given" would make a DELETE take all of them away.
    const named =
      roles === undefined
        ? []
        : [roles]
            .flat()
            .flatMap((role) => String(role).split(","))
            .map((role) => role.trim());
    if (named.some((role) => !allRoles.includes(role))) throw new Invalid([["roles", "is not included in the list"]]);
    return [...new Set(named)];
  };

  return [
    {
      method: "GET",
      path: "/people/all_with_roles",
      scope: read,
      async handle(call) {
        const query = parseListQuery(call.query, null);
        const roles = rolesOf(call);
        if (
          !["auditor", "specialist", "account_administrator", "account_designer"].some((role) =>
            call.caller.roles.has(role),
          )
        )
          throw new Forbidden();
        const filters = query.filters.filter((parameter) => parameter.name !== "roles");
        const wanted = roles.length === 0 ? allRoles : roles;
        const page = await list(
          call.engine,
          call.caller,
          person,
          { ...query, filters },
          { clause: holdsRole(call.caller.account, wanted), rights: "of the parent" },
        );
        return respondWithPage(call, page, query.perPage);
      },
    },
    {
      method: "GET",
      path,
      scope: read,
      async handle(call) {
        const { id } = await known(call);
        const accounts = [...(await permissions(call, id))].filter(([account]) => visible(call, account));
        return ok(JSON.stringify(await Promise.all(accounts.map(([account, roles]) => shown(account, roles)))));
      },
    },
    {
      method: "GET",
      path: `${path}/:account`,
      scope: read,
      async handle(call) {
        const { id } = await known(call);
        const account = call.params.account ?? "";
        if (!visible(call, account) || !(await api.identities.getAccounts()).has(account)) throw new NotFound();
        return answer(call, id, account);
      },
    },
    {
      method: "POST",
      path: `${path}/:account`,
      scope: write,
      async handle(call) {
        const { id, account } = await administered(call);
        const add = await checked(account, await bodyRoles(call));
        await change(call, id, account, () => ({ add, drop: [] }));
        return answer(call, id, account);
      },
    },
    ...(["PATCH", "PUT"] as const).map(
      (method): Route => ({
        method,
        path: `${path}/:account`,
        scope: write,
        async handle(call) {
          const { id, account } = await administered(call);
          const wanted = await checked(account, await bodyRoles(call));
          await change(call, id, account, (current) => ({
            add: wanted,
            drop: current.filter((role) => !wanted.includes(role)),
          }));
          return answer(call, id, account);
        },
      }),
    ),
    {
      method: "DELETE",
      path: `${path}/:account`,
      scope: write,
      async handle(call) {
        const { id, account } = await administered(call);
        const named = await bodyRoles(call);
        await change(call, id, account, (current) => ({ add: [], drop: named.length === 0 ? current : named }));
        return noContent;
      },
    },
    {
      method: "DELETE",
      path,
      scope: write,
      async handle(call) {
        const { id, account: home } = await known(call);
        if (!isAdministrator(call.caller, home)) throw new Forbidden();
        for (const account of (await permissions(call, id)).keys())
          await change(call, id, account, (current) => ({ add: [], drop: current }));
        return noContent;
      },
    },
  ];
}
