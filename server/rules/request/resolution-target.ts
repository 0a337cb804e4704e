import { toTimestamp } from "../../base/clock.ts";
import { BadRequest } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import { anyOf, type Clause } from "../../engine/sql/clauses.ts";

// D-428: whether a request met the resolution target of the team that has it. Every request with such a target is in one
// of three states; requests without one are in none.

const states: Record<string, (by: Caller) => Clause> = {
  met: () => ({ key: "target met", sql: (a) => `${a}.completed_at <= ${a}.resolution_target_at`, values: [] }),
  missed: (by) => ({
    key: "target missed",
    sql: (a, next) => `coalesce(${a}.completed_at, ${next()}::timestamptz) > ${a}.resolution_target_at`,
    values: [toTimestamp(by.now)],
  }),
  due: (by) => ({
    key: "target due",
    sql: (a, next) => `(${a}.completed_at IS NULL AND ${a}.resolution_target_at >= ${next()}::timestamptz)`,
    values: [toTimestamp(by.now)],
  }),
};

export function filterByTargets(value: string, by: Caller): Clause {
  const names = [...new Set(value.split(",").map((name) => name.trim()))];
  if (names.some((name) => !Object.hasOwn(states, name))) throw new BadRequest("Invalid value for field 'targets'");
  return anyOf(names.map((name) => (states[name] as (by: Caller) => Clause)(by)));
}
