import { assetOperations, maxGraphDepth } from "../../../../records/answers/assets.ts";
import { loadCiGraph } from "../../../actions/assets/ci-graph.ts";
import { loadCiOutlook } from "../../../actions/assets/ci-outlook.ts";
import { BadRequest } from "../../../base/errors.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

function parseDepth({ query }: Call): number {
  const text = query.find(({ name }) => name === "depth")?.value ?? "2";
  if (!/^[1-3]$/.test(text)) throw new BadRequest(`Parameter 'depth' must be between 1 and ${maxGraphDepth}`);
  return Number(text);
}

/** GET /cis/:id/graph: the items around one. GET /cis/:id/outlook: what fails if it fails. */
export function ciRoutes({ engine, domain }: Api): Route[] {
  const type = engine.types.get("ci");
  const scope = { type: type.scopeName, action: "Read" } as const;
  const find = async (call: Call): Promise<number> => {
    const id = parseRecordId(call.params.id, type, domain);
    await requireRecord(call.engine, call.caller, type, id, "read");
    return id;
  };
  return serve(assetOperations, {
    "GET /cis/:id/graph": {
      scope,
      async handle(call) {
        const id = await find(call);
        return ok(await loadCiGraph(call.engine, call.caller, id, parseDepth(call)));
      },
    },
    "GET /cis/:id/outlook": {
      scope,
      async handle(call) {
        const id = await find(call);
        return ok(await loadCiOutlook(call.engine, call.caller, id));
      },
    },
  });
}
