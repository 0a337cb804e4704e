import { expect, test } from "vitest";
import { KnownSummaries } from "../../server/engine/summary/known-summaries.ts";

const query = { text: "SELECT", values: ["widget-it"], zone: "Etc/UTC" };

test("a summary of very many rows is cached for a minute, by statement, values and time zone", async () => {
  let now = 0;
  let reads = 0;
  const known = new KnownSummaries(() => now);
  const ask = async (count: number, part: Partial<typeof query> = {}) => {
    const [total] = await known.get({ ...query, ...part }, async () => [[String(count + reads++)]]);
    return Number(total?.[0]);
  };
  expect([await ask(100_000), await ask(100_000)]).toEqual([100_000, 100_000]);
  expect(await ask(100_000, { values: ["widget-hr"] })).toBe(100_001);
  expect(await ask(100_000, { zone: "Asia/Tokyo" })).toBe(100_002);
  now += 59_999;
  expect(await ask(100_000)).toBe(100_000);
  now += 1;
  expect(await ask(100_000)).toBe(100_003);
  expect([await ask(5, { text: "few" }), await ask(5, { text: "few" })]).toEqual([9, 10]);
  // A hundred new entries evict the first one.
  for (let each = 0; each < 100; each++) await ask(100_000, { text: `chart ${each}` });
  const before = reads;
  await ask(100_000);
  expect(reads).toBe(before + 1);
});
