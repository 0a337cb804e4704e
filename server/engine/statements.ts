import { passing, type Statement, statement, type Together } from "../storage/database.ts";

const mostKept = 2000;
const mostNamed = 1000;

/**
 * Statements by shape. A named statement stays in every connection for good, and callers choose filters, sorts and
 * fields: so a shape gets its name when it is used for the third time, and there are only so many names.
 */
export class Statements {
  private readonly kept = new Map<string, { built: Statement; uses: number }>();
  private named = 0;

  /** `together`: how several calls at the same moment become one */
  get(key: string, build: () => string, together?: () => Together): Statement {
    let found = this.kept.get(key);
    if (found === undefined) {
      found = { built: { ...passing(build()), ...(together === undefined ? {} : { together: together() }) }, uses: 0 };
      if (this.kept.size >= mostKept) this.forgetUnnamed();
      this.kept.set(key, found);
    }
    if (++found.uses === 3 && this.named < mostNamed) {
      found.built = { ...found.built, ...statement(found.built.text) };
      this.named++;
    }
    return found.built;
  }

  private forgetUnnamed(): void {
    for (const [key, { built }] of this.kept) if (built.name === "") this.kept.delete(key);
  }
}
