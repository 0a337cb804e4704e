// How far a table has been read whose ids come from a sequence. Transactions commit in another order than they take ids:
// a missing id may still appear. So a missing id is looked for until every transaction that could have taken it has ended.

/** The limits of a snapshot of PostgreSQL: all transactions before `oldest` have ended, none from `next` on is visible. */
export type SnapshotLimits = { oldest: bigint; next: bigint };

/** Larger gaps come from restored or reset sequences, not from transactions. */
const maxGap = 10_000;

export class SequencePosition {
  private last: number;
  /** missing ids; the value is the limit that `oldest` must pass, and null until the id was missing a second time */
  private readonly missing = new Map<number, bigint | null>();

  constructor(last: number) {
    this.last = last;
  }

  get highest(): number {
    return this.last;
  }

  /** All ids up to this one are read or will never appear: reading may be resumed behind it. */
  get settled(): number {
    let settled = this.last;
    for (const id of this.missing.keys()) settled = Math.min(settled, id - 1);
    return settled;
  }

  get missingIds(): number[] {
    return [...this.missing.keys()];
  }

  /** Takes ids that were found, in any order; returns the ones that were not known. */
  advance(found: readonly number[], { oldest, next }: SnapshotLimits): Set<number> {
    for (const [id, limit] of this.missing) {
      // A transaction takes the id a moment before it gets its own number, so the second look sets the limit.
      if (limit === null) this.missing.set(id, next);
      else if (oldest >= limit) this.missing.delete(id);
    }
    const fresh = new Set<number>();
    for (const id of [...found].sort((one, other) => one - other)) {
      if (id <= this.last) {
        if (this.missing.delete(id)) fresh.add(id);
        continue;
      }
      for (let gap = Math.max(this.last + 1, id - maxGap); gap < id; gap++) this.missing.set(gap, null);
      this.last = id;
      fresh.add(id);
    }
    return fresh;
  }
}
