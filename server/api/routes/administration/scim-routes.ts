import { provisioningOperations } from "../../../../records/answers/provisioning.ts";
import { NotFound } from "../../../base/errors.ts";
import { requireRecord } from "../../../engine/find.ts";
import { enqueueGroup, enqueueUsers } from "../../../scim/jobs.ts";
import { loadScimState } from "../../../scim/overview.ts";
import { installDefaultRules } from "../../../scim/people/default-rules.ts";
import type { Scim } from "../../../scim/scim-context.ts";
import { createScimToken, deleteScimTokens, listScimTokens } from "../../../scim/tokens.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getClientAddress } from "../../http/origin.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, created, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// Provisioning, for the administrators of an account: switching it on and off, its token, what arrived.

const scopeType = "scim";

export function scimRoutes({ configuration, domain }: Api, scim: Scim): Route[] {
  const readCaller = (call: Call) => ({
    account: requireAdministeredAccount(call),
    person: call.caller.person,
    address: getClientAddress(configuration, call.request.raw),
  });
  const runRules = async (call: Call, name: "scim_user" | "scim_group"): Promise<typeof noContent> => {
    const account = requireAdministeredAccount(call);
    const type = call.engine.types.get(name);
    const id = parseRecordId(call.params.id, type, domain);
    await requireRecord(call.engine, call.caller, type, id, "read");
    const now = call.engine.clock.now();
    await call.engine.database.transaction(async (tx) => {
      if (name === "scim_user") enqueueUsers(tx, account, [id], now);
      else enqueueGroup(tx, account, id, [], now);
      tx.afterCommit(() => scim.wake());
    });
    return noContent;
  };
  return serve(provisioningOperations, {
    "GET /scim": {
      scope: { type: scopeType, action: "Read" },
      async handle(call) {
        const account = requireAdministeredAccount(call);
        return ok({ base_url: `${call.origin}/scim/v2`, ...(await loadScimState(scim, account)) });
      },
    },
    "POST /scim/tokens": {
      needsRecentProof: true,
      scope: { type: scopeType, action: "Create" },
      async handle(call) {
        const by = readCaller(call);
        const { engine } = call;
        const token = await engine.database.transaction(async (tx) => {
          await installDefaultRules(engine, tx, by.account);
          return createScimToken(tx, engine.clock.now(), by);
        });
        scim.tokens.forget();
        const [newest] = await listScimTokens(scim, by.account);
        if (newest === undefined) throw new NotFound(); // deleted in the meantime
        return created({ ...newest, token });
      },
    },
    "DELETE /scim/tokens/:id": {
      scope: { type: scopeType, action: "Delete" },
      async handle(call) {
        const by = readCaller(call);
        const { id = "" } = call.params;
        if (!/^[1-9]\d{0,8}$/.test(id)) throw new NotFound();
        return removeTokens(call, scim, by, Number(id));
      },
    },
    "DELETE /scim": {
      scope: { type: scopeType, action: "Delete" },
      handle: (call) => removeTokens(call, scim, readCaller(call), null),
    },
    "POST /scim_users/:id/process": {
      scope: { type: "scim-user", action: "Update" },
      handle: (call) => runRules(call, "scim_user"),
    },
    "POST /scim_groups/:id/process": {
      scope: { type: "scim-group", action: "Update" },
      handle: (call) => runRules(call, "scim_group"),
    },
  });
}

async function removeTokens(
  { engine }: Call,
  { tokens }: Scim,
  by: Parameters<typeof deleteScimTokens>[3],
  id: number | null,
): Promise<typeof noContent> {
  const isRemoved = await engine.database.transaction((tx) => deleteScimTokens(tx, engine.clock.now(), id, by));
  tokens.forget();
  if (!isRemoved) throw new NotFound();
  return noContent;
}
