import { rightsOperations } from "../../../../records/answers/permissions.ts";
import { explainRights } from "../../../actions/rights/explain-rights.ts";
import { BadRequest } from "../../../base/errors.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** GET /people/:id/rights?on=request:48213: what a person may do, and why; for administrators and oneself. */
export const rightsRoutes = (api: Api): Route[] =>
  serve(rightsOperations, {
    "GET /people/:id/rights": {
      scope: { type: "person", action: "Read" },
      async handle(call) {
        const person = parseRecordId(call.params.id, call.engine.types.get("person"), api.domain);
        return ok(await explainRights(call.engine, call.caller, person, parseOn(call)));
      },
    },
  });

function parseOn({ query }: Call): string | null {
  const unknown = query.find(({ name }) => name !== "on");
  if (unknown !== undefined) throw new BadRequest(`Unknown parameter: ${unknown.name.slice(0, 100)}`);
  return query.find(({ name }) => name === "on")?.value ?? null;
}
