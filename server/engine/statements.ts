import { type Statement, statement } from "../storage/database.ts";

/** Statements by shape. Callers choose filters and fields, so rare shapes are built but not kept for ever. */
export class Statements {
  private readonly kept = new Map<string, Statement>();
  get(key: string, build: () => string): Statement {
    let found = this.kept.get(key);
    if (found === undefined) {
      found = statement(build());
      if (this.kept.size >= 1000) this.kept.delete(this.kept.keys().next().value as string);
      this.kept.set(key, found);
    }
    return found;
  }
}
