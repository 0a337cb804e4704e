import type { Row, Value as SqlValue } from "../../database/database.ts";

// Summaries of very many rows are cached for a short time (D-563): every row is read for them, and everyone who opens the
// same chart runs the same query.

/** Reading as many rows takes about a tenth of a second. */
const manyRows = 100_000;
const keptFor = 60_000;
const maxSummaries = 100;

/** The cache key: the statement, its values, among them the rights of the caller, and the zone whose days it counts. */
export type AskedSummary = { text: string; values: readonly SqlValue[]; zone: string };

export class KnownSummaries {
  private readonly summaries = new Map<string, { rows: Row[]; until: number }>();
  private readonly now: () => number;

  /** `now`: milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** `read` answers the total first, and in its first column how many rows there are. */
  async get({ text, values, zone }: AskedSummary, read: () => Promise<Row[]>): Promise<Row[]> {
    const key = `${zone}\n${text}\n${JSON.stringify(values)}`;
    const known = this.summaries.get(key);
    if (known !== undefined && known.until > this.now()) return known.rows;
    this.summaries.delete(key);
    const rows = await read();
    if (Number(rows[0]?.[0] ?? 0) >= manyRows) {
      // Callers choose filters, so there is a limit; the oldest goes first.
      const [oldest] = this.summaries.size >= maxSummaries ? this.summaries.keys() : [];
      if (oldest !== undefined) this.summaries.delete(oldest);
      this.summaries.set(key, { rows, until: this.now() + keptFor });
    }
    return rows;
  }
}
