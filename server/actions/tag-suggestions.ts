import { parseRecords } from "../database/rows.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { list } from "../engine/list.ts";

const maxSuggestions = 20;

/** Tags in use whose name begins with the text, by name, read with the rights of the caller. */
export async function suggestTags(engine: Engine, by: Caller, text: string): Promise<string[]> {
  const pattern = `${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const query = { views: [], fields: ["name"], filters: [], sort: null, perPage: maxSuggestions };
  const { records } = await list(
    engine,
    by,
    engine.types.get("tag"),
    { ...query, page: null, after: null, before: null },
    {
      clause: {
        key: "name begins with",
        sql: (alias, next) => `lower(${alias}.name) LIKE ${next()}`,
        values: [pattern],
      },
      rights: "own",
    },
  );
  return parseRecords<{ name: string }>(records).map(({ name }) => name);
}
