import { NotFound } from "../../../base/errors.ts";
import { requireAdministrator } from "../../../oauth/account-access.ts";
import { removePasskeys } from "../../../oauth/passkeys/passkey-store.ts";
import { removeSecondFactor } from "../../../oauth/second-factor/second-factor.ts";
import { changeSignInPolicy, loadSignInPolicy } from "../../../oauth/sign-in-policy.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getClientAddress } from "../../http/origin.ts";
import { type Api, identify, requireIdentity } from "../../http/pipeline.ts";
import { noContent, ok, type Route } from "../../http/route.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// How people of an account sign in, for its administrators.

const scopeType = "sign-in-policy";

export function signInPolicyRoutes(api: Api): Route[] {
  const { configuration, identities, domain } = api;
  return [
    {
      method: "GET",
      path: "/sign_in_policy",
      scope: { type: scopeType, action: "Read" },
      async handle(call) {
        return ok(JSON.stringify(await loadSignInPolicy(call.engine, requireAdministeredAccount(call))));
      },
    },
    {
      method: "PATCH",
      path: "/sign_in_policy",
      needsRecentProof: true,
      scope: { type: scopeType, action: "Update" },
      async handle(call) {
        const account = requireAdministeredAccount(call);
        const identity = requireIdentity(await identify(api, call.request), false);
        const address = getClientAddress(configuration, call.request.raw);
        const by = { person: call.caller.person, address, isSession: identity?.isSession === true };
        const { members } = await call.body();
        const { database, clock } = call.engine;
        const context = { database, clock, identities };
        return ok(JSON.stringify(await changeSignInPolicy(context, { account, members, by })));
      },
    },
    {
      method: "DELETE",
      path: "/people/:id/second_factor",
      scope: { type: scopeType, action: "Update" },
      async handle(call) {
        const id = parseRecordId(call.params.id, call.engine.types.get("person"), domain);
        const person = await identities.person(id);
        // The account of the person decides; to others the person does not exist.
        if (person === null) throw new NotFound();
        requireAdministrator(call.caller.me, person.account);
        const address = getClientAddress(configuration, call.request.raw);
        const now = call.engine.clock.now().toISOString();
        const by = { by: call.caller.person, address };
        const isRemoved = await call.engine.database.transaction(async (tx) => {
          // Whoever finds the lost phone must not sign in with a passkey on it, either.
          const hadPasskeys = await removePasskeys(tx, now, person, null, by);
          return (await removeSecondFactor(tx, now, person, by)) || hadPasskeys;
        });
        if (!isRemoved) throw new NotFound();
        return noContent;
      },
    },
  ];
}
