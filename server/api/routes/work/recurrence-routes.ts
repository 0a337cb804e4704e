import { recurrenceOperations } from "../../../../records/answers/calendars.ts";
import { listOccurrences } from "../../../actions/recurrence-occurrences.ts";
import { formatMoment } from "../../http/moments.ts";
import { ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** POST /recurrence_occurrences: when a recurrence would create workflows. */
export function recurrenceRoutes(): Route[] {
  return serve(recurrenceOperations, {
    "POST /recurrence_occurrences": {
      scope: { type: "workflow-template", action: "Read" },
      async handle(call) {
        const { members } = await call.body();
        const { occurrences, problems } = await listOccurrences(call.engine, call.caller, members);
        return ok({
          occurrences: occurrences.map((moment) => formatMoment(moment, call.caller)),
          problem: problems.length === 0 ? null : problems.map(fillProblem).join(". "),
        });
      },
    },
  });
}

const fillProblem = ([, text, values = {}]: readonly [string, string, Record<string, string | number>?]): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
