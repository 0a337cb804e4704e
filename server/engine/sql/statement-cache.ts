import { type Batch, type Statement, statement, unnamedStatement } from "../../storage/database.ts";

const cacheLimit = 2000;
const namedLimit = 1000;

/**
 * Statements by shape. A named statement stays in every connection for good, and callers choose filters, sorts and
 * fields: so a shape gets its name when it is used for the third time, and there are only so many names.
 */
export class StatementCache {
  private readonly cached = new Map<string, { built: Statement; uses: number }>();
  private namedCount = 0;

  /** `together`: how several calls at the same moment become one */
  get(key: string, build: () => string, together?: () => Batch): Statement {
    let found = this.cached.get(key);
    if (found === undefined) {
      found = {
        built: { ...unnamedStatement(build()), ...(together === undefined ? {} : { batch: together() }) },
        uses: 0,
      };
      if (this.cached.size >= cacheLimit) this.evictUnnamed();
      this.cached.set(key, found);
    }
    if (++found.uses === 3 && this.namedCount < namedLimit) {
      found.built = { ...found.built, ...statement(found.built.text) };
      this.namedCount++;
    }
    return found.built;
  }

  private evictUnnamed(): void {
    for (const [key, { built }] of this.cached) if (built.name === "") this.cached.delete(key);
  }
}
