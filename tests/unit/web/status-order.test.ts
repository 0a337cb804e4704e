import { expect, test } from "vitest";
import { register } from "../../../records/index.ts";
import { isNegative, orderStatuses, pickNextStatus } from "../../../web/queries/status-order.ts";

const typesWithStates = register.flatMap(({ name, states }) =>
  states === null ? [] : [{ name, states: states.states as readonly string[] }],
);

test("statuses are listed by rank, with the negative ones last, for every type", () => {
  expect(typesWithStates.map(({ name }) => name)).toContain("request");
  for (const { states } of typesWithStates) {
    const offered = orderStatuses(states);
    expect([...offered].sort()).toEqual([...states].sort());
    expect(offered.filter((each) => !isNegative(each))).toEqual(states.filter((each) => !isNegative(each)));
    expect(offered.slice(offered.length - states.filter(isNegative).length).every(isNegative)).toBe(true);
  }
});

test("Enter never selects a negative status: the highlighted status is another, non-negative one", () => {
  for (const { states } of typesWithStates) {
    const offered = orderStatuses(states);
    for (const status of states) {
      const next = pickNextStatus(status, offered);
      expect(next).not.toBe(status);
      expect(isNegative(String(next))).toBe(false);
    }
  }
  expect(pickNextStatus("assigned", ["assigned", "accepted", "declined"])).toBe("accepted");
  expect(pickNextStatus("declined", ["on_backlog", "assigned", "declined"])).toBe("assigned");
});
