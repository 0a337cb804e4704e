import type { Row, Statement, Value } from "./connection.ts";

// Reads whose values are known before their turn comes are sent with the statements before them, so that they cost no round trip
// of their own (D-499). The code that wants the answer asks for it as ever, and gets the one that is already under way.

type Ask = (statement: Statement, values?: readonly Value[]) => Promise<Row[]>;
type AskedAhead = { text: string; key: string; answer: Promise<Row[]> };

export type ReadAhead = {
  query: Ask;
  /** Sends a read that `query` will ask for. What is written or locked in between makes its answer void. */
  readAhead(statement: Statement, values: readonly Value[]): void;
  /** Others are about to write. */
  forget(): void;
};

export function createReadAhead(ask: Ask): ReadAhead {
  let asked: AskedAhead[] = [];
  return {
    query(statement, values = []) {
      if (asked.length === 0) return ask(statement, values);
      if (!isPlainRead(statement.text)) asked = [];
      if (!asked.some(({ text }) => text === statement.text)) return ask(statement, values);
      const key = JSON.stringify(values);
      const known = asked.find((each) => each.text === statement.text && each.key === key);
      return known?.answer ?? ask(statement, values);
    },
    readAhead(statement, values) {
      asked.push({ text: statement.text, key: JSON.stringify(values), answer: ask(statement, values) });
    },
    forget() {
      asked = [];
    },
  };
}

/** A statement that neither writes nor locks. One that begins otherwise counts as a write, whatever it is. */
const isPlainRead = (text: string): boolean =>
  text.startsWith("SELECT") && !/ FOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)\b|pg_advisory/.test(text);
