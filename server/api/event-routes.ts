import { receiveMonitoringEvent } from "../rules/monitoring-events.ts";
import { ignoredHeader, type Route } from "./call.ts";
import { type Api, callerIn, checkScope, identify, requireCaller } from "./pipeline.ts";

// Reference: import-export.md section 3.

const changing = { scope: { type: "request", action: "Update" } } as const;

export function eventRoutes(api: Api): Route[] {
  const route: Route = {
    method: "POST",
    path: "/events",
    scope: { type: "request", action: "Create" },
    async handle(call) {
      const body = await call.body();
      const { support_domain: domain } = body.members;
      let { by } = call;
      const identified = async () => requireCaller(await identify(api, call.request), false);
      if (typeof domain === "string" && domain !== "" && domain !== by.account) {
        const identity = await identified();
        if (identity !== null) {
          by = await callerIn(api, call.request, identity, domain);
          checkScope(route, identity, by);
        }
      }
      const saved = await receiveMonitoringEvent(call.engine, by, body, async () => {
        const identity = await identified();
        if (identity !== null) checkScope(changing, identity, by);
      });
      const headers = ignoredHeader(saved.ignored);
      if (saved.existing) return { status: 200, json: saved.json, headers };
      const location = `${call.origin}/a/${encodeURIComponent(by.account)}/requests/${saved.id}`;
      return { status: 201, json: saved.json, headers: { ...headers, Location: location } };
    },
  };
  return [route];
}
