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
      "Summarizes the records that a list with the same filters returns to the caller. The `query` of each group is the list query for its records. Groups by period are in chronological order, other groups are sorted by number of records, largest first.",
    query: {
      by: noted("The field to group by. If omitted, only the total is returned.", optional(word(...groupFields))),
      then_by: noted("A second field to group by.", optional(word(...groupFields))),
      every: noted(
        "When grouping by a date or time: the length of the periods, in the caller's time zone. Weeks start on Monday.",
        optional(word(...periodUnits)),
      ),
      bounds: noted(
        "Alternative to `every`: up to 20 dates or times at which periods start, ascending and comma-separated.",
        optional(string()),
      ),
      measure: noted(
        "`count`, or a median, average or sum of a number, or a share. A share counts only the records it's measured over.",
        defaultsTo("count", word("count", ...listMeasures(type, null))),
      ),
    },
    filtersOf: type.name,
    answer: summary,
    answers: "The groups and the total.",
    example: {
      groups: [{ [first]: null, count: 4, value: 4, query: `${first}=` }],
      total: { count: 4, value: 4, query: "" },
      more: false,
    },
  };
}
