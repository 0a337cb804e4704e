import { Forbidden } from "../../../base/errors.ts";
import { hasAnyGrant } from "../../../engine/access.ts";
import { isSummarizable, parseQuestion, summaryParameters } from "../../../engine/summary/question.ts";
import { type SummaryGroup, summarize } from "../../../engine/summary/summarize.ts";
import type { Type } from "../../../engine/types.ts";
import { parseListQuery } from "../../http/parameters.ts";
import { okJson, type Route } from "../../http/route.ts";
import { declareSummary } from "./declare-summary.ts";

const isOwnParameter = ({ name }: { name: string }): boolean => (summaryParameters as readonly string[]).includes(name);

/** GET /<collection>/summary */
export function summaryRoutes(type: Type): Route[] {
  if (!isSummarizable(type)) return [];
  return [
    {
      method: "GET",
      path: `/${type.collection}/summary`,
      scope: { type: type.scopeName, action: "Read" },
      operation: declareSummary(type),
      async handle({ engine, caller, query }) {
        if (!hasAnyGrant(type, "read", caller)) throw new Forbidden();
        const listQuery = parseListQuery(
          query.filter((parameter) => !isOwnParameter(parameter)),
          null,
        );
        const question = parseQuestion(type, caller, query.filter(isOwnParameter), listQuery);
        const { groups, total, hasMore } = await summarize(engine, caller, type, question);
        return okJson(
          `{"groups":[${groups.map(writeGroup).join(",")}],"total":${writeGroup(total)},"more":${hasMore}}`,
        );
      },
    },
  ];
}

function writeGroup({ members, count, value, query, part }: SummaryGroup): string {
  const own = members.map(([name, json]) => `${JSON.stringify(name)}:${json},`).join("");
  const ofShare = part === null ? "" : `,"part":${JSON.stringify(part)}`;
  return `{${own}"count":${count},"value":${value},"query":${JSON.stringify(query)}${ofShare}}`;
}
