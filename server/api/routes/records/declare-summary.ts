import { summary } from "../../../../records/answers/search.ts";
import { defaultsTo, noted, type Operation, optional, string, word } from "../../../../records/vocabulary/index.ts";
import { listGroupFields, listMeasures, periodUnits } from "../../../engine/summary/question.ts";
import type { Type } from "../../../engine/types.ts";
import { toPascalCase, toWords } from "../../openapi/names.ts";

/** The operation that summarizes the records of a type: what it can group and measure depends on the fields. */
export function declareSummary(type: Type): Operation {
  const groupFields = listGroupFields(type, null);
  const [first = "status"] = groupFields;
  return {
    id: `summarize${toPascalCase(type.collection)}`,
    summary: `Aggregate ${toWords(type.collection)} by group`,
    description:
      "Of the records that a list with the same filters shows the caller. `query` of each group is the query of the list behind it. Groups by a period are in its order, others have most records first.",
    query: {
      by: noted("The field to group by. Without it, the answer has the total alone.", optional(word(...groupFields))),
      then_by: noted("A second field to group by.", optional(word(...groupFields))),
      every: noted(
        "Where a date or time is grouped by: the length of its periods, in the time zone of the caller. Weeks begin on Monday.",
        optional(word(...periodUnits)),
      ),
      bounds: noted(
        "Instead of `every`: up to 20 ascending dates or times, comma separated, that periods begin with.",
        optional(string()),
      ),
      measure: noted(
        "`count`, or a median, average or sum of a number, or a share. A share counts only the records that it is a share of.",
        defaultsTo("count", word("count", ...listMeasures(type, null))),
      ),
    },
    filtersOf: type.name,
    answer: summary,
    answers: "The groups and their total.",
    example: {
      groups: [{ [first]: null, count: 4, value: 4, query: `${first}=` }],
      total: { count: 4, value: 4, query: "" },
      more: false,
    },
  };
}
