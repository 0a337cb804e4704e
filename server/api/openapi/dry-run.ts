import type { Type } from "../../engine/types.ts";
import type { ApiOperation } from "./api-operation.ts";
import type { OpenApiContext } from "./components.ts";
import { toWords } from "./names.ts";
import { buildRowSchema } from "./record-schemas.ts";
import { buildJsonResponse } from "./responses.ts";

/** Adds the parameter `dry_run` and its answer to the creation of a type that can be tried. */
export function describeDryRun(context: OpenApiContext, type: Type, create: ApiOperation): ApiOperation {
  if (type.routes.dryRun === null) return create;
  const lists = type.routes.dryRun.shows.map((name) => {
    const target = context.types.get(type.lists[name]?.of ?? "");
    return [name, { type: "array", items: buildRowSchema(context, target) }] as const;
  });
  const words = `the ${toWords(type.name)}`;
  return {
    ...create,
    parameters: [
      ...(create.parameters ?? []),
      {
        name: "dry_run",
        in: "query",
        description: `\`true\`: saves ${words}, returns it without ids, and rolls everything back. Nothing is stored, no one is notified, and automation rules don't run.`,
        schema: { type: "boolean", default: false },
      },
    ],
    responses: {
      ...create.responses,
      200: buildJsonResponse(
        context,
        `With \`dry_run\`: ${words} as it would be saved, with ${type.routes.dryRun.shows.map(toWords).join(" and ")}.`,
        { type: "object", properties: Object.fromEntries(lists) },
        undefined,
        ["X-Ignored-Fields"],
      ),
    },
  };
}
