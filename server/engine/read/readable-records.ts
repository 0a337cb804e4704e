import { buildReadClause } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { buildSharedRows, pickRows } from "../overlays.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";

// Filters records to those that a caller may read, by the condition that every list and look-up uses.

/** Revisions by id. Callers with the same rights share one query. */
export class ReadableRecords {
  private readonly engine: Engine;
  private readonly answers = new Map<string, Promise<ReadonlyMap<number, number>>>();

  constructor(engine: Engine) {
    this.engine = engine;
  }

  load(by: Caller, type: Type, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { engine } = this;
    const shared = buildSharedRows(type, by);
    const parts = {
      ids: value(ids),
      allowed: buildReadClause(type, by, engine.rules),
      rows: pickRows(type, shared),
    };
    const query = engine.statements.prepare(
      `${type.name}#readable`,
      parts,
      (sql) =>
        `SELECT a.id, ${type.hasRevision ? "a.revision" : "0"} FROM ${sql.rows} WHERE a.id = ANY(${sql.ids}::integer[]) AND ${sql.allowed}`,
    );
    const key = `${query.statement.text} ${JSON.stringify(query.values)}`;
    const answer =
      this.answers.get(key) ??
      engine.database
        .read(query.statement, query.values)
        .then((rows) => new Map(rows.map(([id, revision]) => [Number(id), Number(revision)])));
    this.answers.set(key, answer);
    return answer;
  }
}
