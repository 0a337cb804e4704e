import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CostEstimates } from "./cost-estimates.ts";
import { FairQueue, type Owner } from "./fair-queue.ts";

type Item = { owner: Owner; name: string };
const item = (account: string, person: number, name = ""): Item => ({ owner: { account, person }, name });
const everybody = { account: () => true, person: () => true };
const roomy = { waiting: 1000, waitingPerPerson: 1000 };

describe("the fair queue", () => {
  test("takes turns between accounts, and between the people of an account", () => {
    const queue = new FairQueue<Item>(roomy);
    for (const name of ["1", "2", "3"]) queue.push(item("a", 1, `a1-${name}`));
    queue.push(item("a", 2, "a2-1"));
    queue.push(item("b", 3, "b3-1"));
    queue.push(item("b", 3, "b3-2"));
    const order = Array.from({ length: 6 }, () => queue.next(everybody)?.name);
    expect(order).toEqual(["a1-1", "b3-1", "a2-1", "b3-2", "a1-2", "a1-3"]);
    expect(queue.next(everybody)).toBeNull();
  });

  test("skips owners that already use their share", () => {
    const queue = new FairQueue<Item>(roomy);
    queue.push(item("a", 1, "first"));
    queue.push(item("a", 2, "second"));
    expect(queue.next({ ...everybody, person: ({ person }) => person !== 1 })?.name).toBe("second");
    expect(queue.next({ ...everybody, account: (account) => account !== "a" })).toBeNull();
    expect(queue.next(everybody)?.name).toBe("first");
  });

  test("rejects owners with too many queued items; when it is full, the owner with the most loses one", () => {
    const queue = new FairQueue<Item>({ waiting: 4, waitingPerPerson: 3 });
    const greedy = Array.from({ length: 4 }, (_, index) => item("a", 1, `greedy ${index}`));
    expect(greedy.map((each) => queue.push(each)?.name ?? null)).toEqual([null, null, null, "greedy 3"]);
    expect(queue.push(item("a", 2, "modest"))).toBeNull();
    expect(queue.push(item("b", 3, "late"))?.name).toBe("greedy 2");
    expect(queue.size).toBe(4);
    expect(queue.push(item("b", 3, "late again"))?.name).toBe("late again");
  });

  test("property: a person's next item waits for at most one item of each other person", () => {
    const owners = fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(fc.array(owners, { maxLength: 60 }), (pushed) => {
        const queue = new FairQueue<Item>(roomy);
        for (const [account, person] of pushed) queue.push(item(account, person));
        const accounts = new Set(pushed.map(([account]) => account)).size;
        const lastTurn = new Map<string, number>();
        for (let turn = 0; queue.size > 0; turn++) {
          const { account } = (queue.next(everybody) as Item).owner;
          expect(turn - (lastTurn.get(account) ?? -1)).toBeLessThanOrEqual(accounts);
          lastTurn.set(account, turn);
        }
      }),
    );
  });
});

test("an estimate is a moving average for each account", () => {
  const estimates = new CostEstimates();
  expect(estimates.get("SELECT", "a")).toBeUndefined();
  estimates.observe("SELECT", "a", 5);
  expect(estimates.get("SELECT", "a")).toBe(5);
  estimates.observe("SELECT", "a", 1000);
  expect(estimates.get("SELECT", "a")).toBeGreaterThan(250);
  expect(estimates.get("SELECT", "b")).toBeUndefined();
  for (let call = 0; call < 20; call++) estimates.observe("SELECT", "a", 5);
  expect(estimates.get("SELECT", "a")).toBeLessThan(10);
});
