import { describe, expect, test } from "vitest";
import { divideShare, fullCounts, fullShare, getFullLimit, leastShare, shareConnections } from "./connection-counts.ts";

const sum = (share: number) => Object.values(divideShare(share)).reduce((total, count) => total + count, 1);

describe("the connections of a process", () => {
  test("are all used up to a full share, and every lane has one", () => {
    for (let share = leastShare; share <= fullShare; share++) {
      expect(sum(share)).toBe(share);
      expect(Math.min(...Object.values(divideShare(share)))).toBeGreaterThan(0);
    }
    expect(divideShare(fullShare)).toEqual(fullCounts);
    expect(divideShare(1000)).toEqual(fullCounts);
  });

  test("are never fewer in any lane when there are more of them", () => {
    for (let share = leastShare; share < fullShare; share++) {
      const [fewer, more] = [divideShare(share), divideShare(share + 1)];
      for (const lane of Object.keys(fewer) as (keyof typeof fewer)[])
        expect(more[lane]).toBeGreaterThanOrEqual(fewer[lane]);
    }
  });
});

describe("the limit of a server", () => {
  test("is never exceeded, with one more process than workers", () => {
    for (let limit = 0; limit <= 300; limit++)
      for (let workers = 1; workers <= 64; workers++) {
        const shares = shareConnections(limit, workers);
        if (shares === null) continue;
        const processes = shares.workers === 1 ? 1 : shares.workers + 1;
        expect(shares.share * processes).toBeLessThan(limit);
        expect(shares.workers).toBeLessThanOrEqual(workers);
      }
  });

  test("decides how many workers start", () => {
    expect(shareConnections(97, 1)).toEqual({ workers: 1, share: fullShare });
    expect(shareConnections(97, 3)).toEqual({ workers: 3, share: fullShare });
    expect(shareConnections(97, 8)).toEqual({ workers: 8, share: 10 });
    expect(shareConnections(17, 1)).toEqual({ workers: 1, share: 14 });
    expect(shareConnections(17, 3)).toEqual({ workers: 1, share: 14 });
    expect(shareConnections(leastShare, 1)).toBeNull();
    for (const workers of [1, 2, 4, 64])
      expect(shareConnections(getFullLimit(workers), workers)).toEqual({ workers, share: fullShare });
  });
});
