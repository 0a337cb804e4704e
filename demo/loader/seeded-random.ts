/** Pseudo-random numbers that depend on the seed only. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** from 0 up to, but not including, 1 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** a whole number, both ends included */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  withProbability(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error("There is nothing to pick from.");
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** by weights: { solved: 80, workaround: 5 } */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** A duration, in any unit, with a skewed distribution: half are below `median`, few are much larger. */
  skewed(median: number, max: number): number {
    const spread = Math.exp((this.next() + this.next() + this.next() - 1.5) * 2);
    return Math.max(1, Math.min(max, Math.round(median * spread)));
  }
}
