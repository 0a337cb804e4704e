import { workloadOperations } from "../../../../records/answers/planning.ts";
import { loadWorkload, parseWeeks } from "../../../actions/planning/workload.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** GET /projects/:id/workload and /teams/:id/workload: planned and available minutes per person and week. */
export function workloadRoutes({ engine, domain }: Api): Route[] {
  const workloadOf = (name: "project" | "team") => {
    const type = engine.types.get(name);
    return {
      scope: { type: type.scopeName, action: "Read" as const },
      async handle(call: Call) {
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        const weeks = parseWeeks(call.query, call.caller);
        return ok(await loadWorkload(call.engine, call.caller, { type: name, id, account }, weeks));
      },
    };
  };
  return serve(workloadOperations, {
    "GET /projects/:id/workload": workloadOf("project"),
    "GET /teams/:id/workload": workloadOf("team"),
  });
}
