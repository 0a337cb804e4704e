import { personSignInOperations } from "../../../../records/answers/sign-in.ts";
import { Forbidden, NotFound } from "../../../base/errors.ts";
import { isAdministratorOf } from "../../../engine/access.ts";
import { removePasskeys } from "../../../oauth/passkeys/passkey-store.ts";
import { removeSecondFactor } from "../../../oauth/second-factor/second-factor.ts";
import { findAccountOfPerson, signOutEverywhere } from "../../../oauth/sessions/end-access.ts";
import { loadSignInFacts } from "../../../oauth/sessions/sign-in-facts.ts";
import { mayChangeSignIn } from "../../../rules/people/sign-in-identity.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getClientAddress } from "../../http/origin.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// How one person signs in, for administrators of the person's account.

const scopeType = "sign-in-policy";

export function personSignInRoutes(api: Api): Route[] {
  const { configuration, identities, domain } = api;
  /** The account that the person belongs to decides, not the account of the call. */
  const requirePerson = async (call: Call) => {
    const id = parseRecordId(call.params.id, call.engine.types.get("person"), domain);
    const account = await findAccountOfPerson(call.engine, id);
    const { me, account: own, directoryAccounts } = call.caller;
    if (account !== null && isAdministratorOf(me, account)) return { id, account };
    // To other accounts the person does not exist.
    throw account !== null && [own, ...directoryAccounts].includes(account) ? new Forbidden() : new NotFound();
  };
  const describeActor = (call: Call) => ({
    by: call.caller.person,
    address: getClientAddress(configuration, call.request.raw),
  });
  return serve(personSignInOperations, {
    "GET /people/:id/sign_in_methods": {
      scope: { type: scopeType, action: "Read" },
      async handle(call) {
        const { id } = await requirePerson(call);
        return ok(await loadSignInFacts(call.engine, id));
      },
    },
    "POST /people/:id/sign_out": {
      needsRecentProof: true,
      scope: { type: scopeType, action: "Update" },
      async handle(call) {
        const person = await requirePerson(call);
        const { database, clock } = call.engine;
        const ended = await signOutEverywhere({ database, clock, identities }, person, describeActor(call));
        return ok(ended);
      },
    },
    "DELETE /people/:id/second_factor": {
      needsRecentProof: true,
      scope: { type: scopeType, action: "Update" },
      async handle(call) {
        const person = await requirePerson(call);
        const now = call.engine.clock.now().toISOString();
        const by = describeActor(call);
        const isRemoved = await call.engine.database.transaction(async (tx) => {
          if (!(await mayChangeSignIn(tx, call.caller, person.id))) throw new Forbidden();
          // A lost phone must not let its finder sign in with a passkey, either.
          const hadPasskeys = await removePasskeys(tx, now, person, null, by);
          return (await removeSecondFactor(tx, now, person, by)) || hadPasskeys;
        });
        if (!isRemoved) throw new NotFound();
        return noContent;
      },
    },
  });
}
