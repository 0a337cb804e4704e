import { loadSettingsOverview } from "../actions/settings/settings-overview.ts";
import { loadTrailCounts } from "../actions/settings/trail-counts.ts";
import { changeAccountSettings } from "../oauth/account-settings.ts";
import { loadSessionCaller, type SessionRoute } from "./session-routes.ts";

/** What the settings show and change beside what the REST API offers; for administrators. */
export const settingsRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/settings-overview",
    handle: async (visit, params) => loadSettingsOverview(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
  {
    method: "GET",
    path: "/trail-counts",
    handle: async (visit, params) => loadTrailCounts(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
  {
    method: "PATCH",
    path: "/account-settings",
    async handle(visit, params, body) {
      const by = await loadSessionCaller(visit, params);
      await changeAccountSettings(visit.pages.engine, visit.oauth, by, body, visit.address);
    },
  },
];
