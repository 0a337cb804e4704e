import { signInPolicyOperations } from "../../../../records/answers/sign-in.ts";
import { changeSignInPolicy, loadSignInPolicy } from "../../../oauth/sign-in-policy.ts";
import { getClientAddress } from "../../http/origin.ts";
import { type Api, identify, requireIdentity } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// How people of an account sign in, for its administrators.

const scopeType = "sign-in-policy";

export function signInPolicyRoutes(api: Api): Route[] {
  const { configuration, identities } = api;
  return serve(signInPolicyOperations, {
    "GET /sign_in_policy": {
      scope: { type: scopeType, action: "Read" },
      async handle(call) {
        return ok(await loadSignInPolicy(call.engine, requireAdministeredAccount(call)));
      },
    },
    "PATCH /sign_in_policy": {
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
        return ok(await changeSignInPolicy(context, { account, members, by }));
      },
    },
  });
}
