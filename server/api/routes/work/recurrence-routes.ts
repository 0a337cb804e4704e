import { listOccurrences } from "../../../actions/recurrence-occurrences.ts";
import { formatMoment } from "../../http/moments.ts";
import { type Call, ok, type Route } from "../../http/route.ts";

/** POST /recurrence_occurrences: when a recurrence would create workflows. */
export function recurrenceRoutes(): Route[] {
  return [
    {
      method: "POST",
      path: "/recurrence_occurrences",
      scope: { type: "workflow-template", action: "Read" },
      async handle(call: Call) {
        const { members } = await call.body();
        const { occurrences, problems } = await listOccurrences(call.engine, call.caller, members);
        return ok(
          JSON.stringify({
            occurrences: occurrences.map((moment) => formatMoment(moment, call.caller)),
            problem: problems.length === 0 ? null : problems.map(fillProblem).join(". "),
          }),
        );
      },
    },
  ];
}

const fillProblem = ([, text, values = {}]: readonly [string, string, Record<string, string | number>?]): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
