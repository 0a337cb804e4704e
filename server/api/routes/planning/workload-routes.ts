import { loadWorkload, parseWeeks } from "../../../actions/planning/workload.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";

/** GET /projects/:id/workload and /teams/:id/workload: planned and available minutes per person and week. */
export const workloadRoutes = ({ engine, domain }: Api): Route[] =>
  (["project", "team"] as const).map((name) => {
    const type = engine.types.get(name);
    return {
      method: "GET",
      path: `/${type.collection}/:id/workload`,
      scope: { type: type.scopeName, action: "Read" },
      async handle(call) {
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        const weeks = parseWeeks(call.query, call.caller);
        return ok(JSON.stringify(await loadWorkload(call.engine, call.caller, { type: name, id, account }, weeks)));
      },
    };
  });
