import { surveyOperations } from "../../../../records/answers/feedback.ts";
import { loadSurveyOverview, loadSurveyResults } from "../../../actions/surveys/survey-results.ts";
import { Forbidden } from "../../../base/errors.ts";
import { mayReadAllRows } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** GET /surveys/:id/results: what people answered, without who they are. GET /surveys/results: all surveys at a glance. */
export function surveyRoutes({ engine, domain }: Api): Route[] {
  const [type, response] = [engine.types.get("survey"), engine.types.get("survey_response")];
  return serve(surveyOperations, {
    "GET /surveys/results": {
      scope: { type: response.scopeName, action: "Read" },
      async handle({ engine: own, caller }) {
        if (!mayReadAllRows(response, caller)) throw new Forbidden();
        return ok(await loadSurveyOverview(own, caller.account));
      },
    },
    "GET /surveys/:id/results": {
      scope: { type: response.scopeName, action: "Read" },
      async handle(call) {
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        if (!mayReadAllRows(response, call.caller)) throw new Forbidden();
        return ok(await loadSurveyResults(call.engine, id, account));
      },
    },
  });
}
