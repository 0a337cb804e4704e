import type { Row, Statement, Value } from "../postgres/connection.ts";

// Reads whose values are known before their turn are sent with the statements before them, so that they cost no additional
// round trip (D-499). The code that needs the result queries as before, and gets the pending result.

type Ask = (statement: Statement, values?: readonly Value[]) => Promise<Row[]>;
type AskedAhead = { text: string; key: string; answer: Promise<Row[]>; once?: true | undefined };

/** A read whose rows are found among those of another one, which asks for more. */
export type IncludedRead = {
  statement: Statement;
  values: readonly Value[];
  /** null: they don't determine it, so it needs its own statement */
  pick(rows: readonly Row[]): Row[] | null;
  /** the answer is for one query alone, such as an id that was taken; the next one asks again */
  once?: true;
};

export type ReadAhead = {
  query: Ask;
  /**
   * Sends a read that `query` will need. Writes and locks in between invalidate its result. `included`: further reads that its
   * rows serve, so that one statement is sent instead of several (D-720).
   */
  readAhead(statement: Statement, values: readonly Value[], included?: readonly IncludedRead[]): void;
  /** Others are about to write. */
  forget(): void;
};

export function createReadAhead(ask: Ask): ReadAhead {
  let asked: AskedAhead[] = [];
  return {
    query(statement, values = []) {
      if (asked.length === 0) return ask(statement, values);
      if (!statement.isPlainRead) asked = [];
      if (!asked.some(({ text }) => text === statement.text)) return ask(statement, values);
      const key = JSON.stringify(values);
      const known = asked.find((each) => each.text === statement.text && each.key === key);
      if (known === undefined) return ask(statement, values);
      if (known.once) asked = asked.filter((each) => each !== known);
      return known.answer;
    },
    readAhead(statement, values, included = []) {
      const answer = ask(statement, values);
      asked.push({ text: statement.text, key: JSON.stringify(values), answer });
      for (const { statement: other, values: given, pick, once } of included) {
        const picked = answer.then((rows) => pick(rows) ?? ask(other, given));
        picked.catch(() => {}); // the caller that awaits it gets the error, and so does the commit
        asked.push({ text: other.text, key: JSON.stringify(given), answer: picked, once });
      }
    },
    forget() {
      asked = [];
    },
  };
}

/** Whether a statement neither writes nor locks. Any statement that begins otherwise counts as a write. */
export const isPlainRead = (text: string): boolean =>
  text.startsWith("SELECT") && !/ FOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)\b|pg_advisory/.test(text);
