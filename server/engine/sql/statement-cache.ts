import { type Batch, type Statement, statement, unnamedStatement } from "../../database/database.ts";
import { collectValues, type Parts, type PartsSql, type Query, writeQuery } from "./query.ts";

const namedLimit = 1000;
/** A text and its key take ten kilobytes and more; those that are not used again need not stay. */
const unnamedLimit = 400;

/**
 * Statements by key. A named statement stays in every connection for good, and callers choose filters, sorts and fields:
 * so a statement gets its name with its third use, and the number of names is limited.
 */
export class StatementCache {
  private readonly cached = new Map<string, { built: Statement; uses: number }>();
  private namedCount = 0;
  private unnamedCount = 0;

  /** `buildBatch`: how several calls at the same moment become one statement; gets the text of the single one. */
  get(key: string, build: () => string, buildBatch?: (text: string) => Batch): Statement {
    let entry = this.cached.get(key);
    if (entry === undefined) {
      const text = build();
      entry = {
        built: { ...unnamedStatement(text), ...(buildBatch === undefined ? {} : { batch: buildBatch(text) }) },
        uses: 0,
      };
      if (this.unnamedCount >= unnamedLimit) this.evictUnnamed();
      this.cached.set(key, entry);
      this.unnamedCount++;
    }
    if (++entry.uses === 3 && this.namedCount < namedLimit) {
      entry.built = { ...entry.built, ...statement(entry.built.text) };
      this.namedCount++;
      this.unnamedCount--;
    }
    return entry.built;
  }

  /**
   * A statement made of fragments. Its text is built once for each name and combination of keys; a call collects the
   * values only. `name` must name the statement and all that the text depends on beside the parts.
   */
  prepare<const P extends Parts>(
    name: string,
    parts: P,
    build: (sql: PartsSql<P>) => string,
    buildBatch?: (text: string) => Batch,
  ): Query {
    const { key, values } = collectValues(name, parts);
    return { statement: this.get(key, () => writeQuery(parts, build).text, buildBatch), values };
  }

  private evictUnnamed(): void {
    for (const [key, { built }] of this.cached) if (built.name === "") this.cached.delete(key);
    this.unnamedCount = 0;
  }
}
