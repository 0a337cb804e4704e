import type { Value as SqlValue } from "../../database/database.ts";

// How many rows long lists have (D-508). Counting a million rows takes a hundred times as long as reading a page of them, so
// the total of a long list is kept for a short time. Short lists are counted with every page. A caller whose own changes came
// after the count gets a new one (own-changes.ts, D-785).

/** A list with more rows is long. Counting as many takes one or two milliseconds. */
const longList = 10_000;
const keptFor = 60_000;
const maxLists = 1000;

/** The cache key: the conditions, among them the rights of the caller, and their values. */
type Counted = { key: string; values: readonly SqlValue[] };

/** A total that was counted at `countedAt`, `age` seconds ago. */
export type KnownTotal = { total: number; countedAt: Date; age: number };

export class KnownTotals {
  private readonly totals = new Map<string, { total: number; countedAt: Date; storedAt: number }>();
  private readonly now: () => number;

  /** `now`: milliseconds of a clock that is never set back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  get isEmpty(): boolean {
    return this.totals.size === 0;
  }

  isWorthKeeping(total: number): boolean {
    return total > longList;
  }

  find(counted: Counted): KnownTotal | null {
    const key = buildKey(counted);
    const known = this.totals.get(key);
    if (known === undefined) return null;
    const age = this.now() - known.storedAt;
    if (age < keptFor)
      return { total: known.total, countedAt: known.countedAt, age: Math.max(1, Math.ceil(age / 1000)) };
    this.totals.delete(key);
    return null;
  }

  /** `countedAt`: a moment before the count began */
  remember(counted: Counted, total: number, countedAt: Date): void {
    const key = buildKey(counted);
    this.totals.delete(key);
    // Callers choose filters, so there is a limit; the oldest goes first.
    const [oldest] = this.totals.size >= maxLists ? this.totals.keys() : [];
    if (oldest !== undefined) this.totals.delete(oldest);
    this.totals.set(key, { total, countedAt, storedAt: this.now() });
  }
}

const buildKey = ({ key, values }: Counted): string => `${key}\n${JSON.stringify(values)}`;
