import { monitoringEventOperations } from "../../../../records/answers/monitoring-events.ts";
import { receiveMonitoringEvent } from "../../../actions/monitoring-events.ts";
import { type Api, checkScope, identify, requireIdentity, resolveCallerInAccount } from "../../http/pipeline.ts";
import { buildIgnoredFieldsHeader, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// ME1 to ME7

const createScope = { type: "request", action: "Create" } as const;
const updateScope = { type: "request", action: "Update" } as const;

export function monitoringEventRoutes(api: Api): Route[] {
  return serve(monitoringEventOperations, {
    "POST /events": {
      scope: createScope,
      async handle(call) {
        const body = await call.body();
        const { support_domain: domain } = body.members;
        let { caller: by } = call;
        const loadIdentity = async () => requireIdentity(await identify(api, call.request), false);
        if (typeof domain === "string" && domain !== "" && domain !== by.account) {
          const identity = await loadIdentity();
          if (identity !== null) {
            by = await resolveCallerInAccount(api, call.request, identity, domain);
            checkScope({ scope: createScope }, identity, by);
          }
        }
        const saved = await receiveMonitoringEvent(call.engine, by, body, async () => {
          const identity = await loadIdentity();
          if (identity !== null) checkScope({ scope: updateScope }, identity, by);
        });
        const headers = buildIgnoredFieldsHeader(saved.ignored);
        if (saved.existing) return { status: 200, json: saved.json, headers };
        const location = `${call.getAccountUrl(encodeURIComponent(by.account))}/requests/${saved.id}`;
        return { status: 201, json: saved.json, headers: { ...headers, Location: location } };
      },
    },
  });
}
