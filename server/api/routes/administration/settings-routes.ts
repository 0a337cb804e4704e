import { settingsOperations } from "../../../../records/answers/settings.ts";
import { describeSampleWork, requestSampleRemoval } from "../../../actions/sample-work/remove-sample-work.ts";
import { loadSettingsOverview } from "../../../actions/settings/settings-overview.ts";
import { loadTrailCounts } from "../../../actions/settings/trail-counts.ts";
import { find } from "../../../engine/find.ts";
import { changeAccountSettings } from "../../../oauth/account-settings.ts";
import { getClientAddress } from "../../http/origin.ts";
import type { Api } from "../../http/pipeline.ts";
import { accepted, ok, okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

const read = { type: "account", action: "Read" } as const;

/** The state of the settings, the account itself, and the work of the demo company; for administrators. */
export function settingsRoutes({ engine, identities, configuration }: Api): Route[] {
  const account = engine.types.get("account");
  return serve(settingsOperations, {
    "GET /settings_overview": {
      scope: read,
      async handle(call) {
        requireAdministeredAccount(call);
        return ok(await loadSettingsOverview(call.engine, call.caller));
      },
    },
    "GET /trail_counts": {
      scope: { type: "security-trail", action: "Read" },
      async handle(call) {
        requireAdministeredAccount(call);
        return ok(await loadTrailCounts(call.engine, call.caller));
      },
    },
    "PATCH /account_settings": {
      scope: { type: "account", action: "Update" },
      async handle(call) {
        const id = requireAdministeredAccount(call);
        const { database, clock } = call.engine;
        const address = getClientAddress(configuration, call.request.raw);
        const { members } = await call.body();
        await changeAccountSettings(call.engine, { database, clock, identities }, call.caller, members, address);
        return okJson(await find(call.engine, call.caller, account, id, null));
      },
    },
    "GET /sample_work": {
      scope: read,
      handle: async (call) => ok(await describeSampleWork(call.engine, requireAdministeredAccount(call))),
    },
    "DELETE /sample_work": {
      scope: { type: "account", action: "Delete" },
      async handle(call) {
        const id = requireAdministeredAccount(call);
        await requestSampleRemoval(call.engine, id, (await call.body()).members.name);
        return accepted(await describeSampleWork(call.engine, id));
      },
    },
  });
}
