import { loadSettingsOverview } from "../actions/settings/settings-overview.ts";
import { loadSessionCaller, type SessionRoute } from "./session-routes.ts";

/** What the settings show beside what the REST API offers; for administrators. */
export const settingsRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/settings-overview",
    handle: async (visit, params) => loadSettingsOverview(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
];
