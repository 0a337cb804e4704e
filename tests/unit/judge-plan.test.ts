import { expect, test } from "vitest";
import { judgePlan, type PlanNode, parseEqualities } from "../support/statements/judge-plan.ts";

// Plans as PostgreSQL prints them, reduced to the parts that judge-plan.ts reads.

const tables = new Map(
  ["requests", "notes"].map((name) => [name, { name, accountColumn: "account_id", accountNumber: 2 }]),
);

const scan = (table: string, alias: string, filter?: string, side?: string): PlanNode => ({
  "Node Type": "Seq Scan",
  "Relation Name": table,
  Alias: alias,
  ...(filter === undefined ? {} : { Filter: filter }),
  ...(side === undefined ? {} : { "Parent Relationship": side }),
});

const join = (type: string, condition: string, outer: PlanNode, inner: PlanNode): PlanNode => ({
  "Node Type": "Hash Join",
  "Join Type": type,
  "Hash Cond": condition,
  Plans: [outer, inner],
});

const findUnpinned = (plan: PlanNode): readonly string[] => judgePlan(plan, tables).unpinned;

test("a comparison with a value pins a scan, one in an OR doesn't", () => {
  expect(findUnpinned(scan("requests", "r", "((r.account_id = $1) AND (r.id = $2))"))).toEqual([]);
  expect(findUnpinned(scan("requests", "r", "(r.id = $1)"))).toEqual(["requests"]);
  expect(findUnpinned(scan("requests", "r", "((r.account_id = $1) OR (r.id = $2))"))).toEqual(["requests"]);
  expect(findUnpinned(scan("requests", "r", "(r.account_id <> $1)"))).toEqual(["requests"]);
  expect(findUnpinned(scan("people", "p", "(p.id = $1)"))).toEqual([]);
});

test("a list of accounts pins a scan to several accounts", () => {
  const some = judgePlan(scan("requests", "r", "(r.account_id = ANY ('{a,b}'::text[]))"), tables);
  expect(some).toMatchObject({ unpinned: [], hasSeveral: true });
  const either = "(((r.account_id = $1) AND (r.id = $2)) OR ((r.account_id = ANY ($3)) AND (r.team_id = $4)))";
  expect(judgePlan(scan("requests", "r", either), tables)).toMatchObject({ unpinned: [], hasSeveral: true });
  expect(judgePlan(scan("requests", "r", "(r.account_id = $1)"), tables).hasSeveral).toBe(false);
});

test("a join pins the other side, except the preserved side of an outer join", () => {
  const pinned = (side: string) => scan("requests", "r", "(r.account_id = $1)", side);
  const notes = (side: string) => scan("notes", "n", undefined, side);
  const same = "((n.account_id = r.account_id) AND (n.request_id = r.id))";
  expect(findUnpinned(join("Inner", same, notes("Outer"), pinned("Inner")))).toEqual([]);
  expect(findUnpinned(join("Left", same, pinned("Outer"), notes("Inner")))).toEqual([]);
  expect(findUnpinned(join("Left", same, notes("Outer"), pinned("Inner")))).toEqual(["notes"]);
  expect(findUnpinned(join("Right", same, notes("Outer"), pinned("Inner")))).toEqual([]);
  expect(findUnpinned(join("Anti", same, notes("Outer"), pinned("Inner")))).toEqual(["notes"]);
  expect(findUnpinned(join("Inner", "(n.request_id = r.id)", notes("Outer"), pinned("Inner")))).toEqual(["notes"]);
});

test("partitions of a table are pinned like the table", () => {
  const parts = new Map(
    ["events_2026_11", "events_other"].map((name) => [
      name,
      { name: "events", accountColumn: "account_id", accountNumber: 2, isPartition: true },
    ]),
  );
  const append = (filter?: string): PlanNode => ({
    "Node Type": "Append",
    "Parent Relationship": "Inner",
    Plans: [scan("events_2026_11", "e_1", filter, "Member"), scan("events_other", "e_2", filter, "Member")],
  });
  const joined = (condition: string) =>
    judgePlan(
      join("Inner", condition, scan("requests", "r", "(r.account_id = $1)", "Outer"), append()),
      new Map([...tables, ...parts]),
    );
  expect(judgePlan(append("(e_1.id = $1)"), parts).unpinned).toEqual(["events"]);
  expect(joined("((e.account_id = r.account_id) AND (e.record_id = r.id))").unpinned).toEqual([]);
  expect(joined("(e.record_id = r.id)").unpinned).toEqual(["events"]);
});

test("a subquery passes the account on under its name", () => {
  const page: PlanNode = {
    "Node Type": "Subquery Scan",
    Alias: "k",
    "Parent Relationship": "Outer",
    Plans: [{ ...scan("requests", "a", "(a.account_id = $1)", "Subquery"), Output: ["a.id", "a.account_id"] }],
  };
  const fetch = (condition: string) => join("Inner", condition, page, scan("requests", "a_1", undefined, "Inner"));
  expect(findUnpinned(fetch("((a_1.id = k.id) AND (a_1.account_id = k.account_id))"))).toEqual([]);
  expect(findUnpinned(fetch("(a_1.id = k.id)"))).toEqual(["requests"]);
});

test("hashed rows of EXISTS are compared with the outer row's account", () => {
  const asks = (comparison: string): PlanNode => ({
    ...scan("requests", "r", `((r.account_id = $1) AND (NOT (ANY (${comparison}))))`),
    Plans: [
      {
        ...scan("notes", "n", undefined, "SubPlan"),
        "Subplan Name": "SubPlan 2",
        Output: ["n.request_id", "n.account_id"],
      },
    ],
  });
  const isSame = "(r.id = (hashed SubPlan 2).col1)";
  expect(findUnpinned(asks(`${isSame} AND (r.account_id = (hashed SubPlan 2).col2)`))).toEqual([]);
  expect(findUnpinned(asks(isSame))).toEqual(["notes"]);
});

test("a condition that can't hold needs no account", () => {
  const page = (filter: string): PlanNode => ({
    "Node Type": "Result",
    "Parent Relationship": "Outer",
    "One-Time Filter": filter,
    Output: ["id", "account_id"],
  });
  const fetch = (filter: string) =>
    join(
      "Inner",
      "((a.id = id) AND (a.account_id = account_id))",
      page(filter),
      scan("requests", "a", undefined, "Inner"),
    );
  expect(findUnpinned(fetch("false"))).toEqual([]);
  expect(findUnpinned(fetch("($1 IS NOT NULL)"))).toEqual(["requests"]);
});

test("partitions chosen by another row while rows are locked are reported", () => {
  const columns = new Map([
    ["events_2026_11", ["created_at"]],
    ["events_other", ["created_at"]],
  ]);
  const append = (build: (alias: string) => string): PlanNode => ({
    "Node Type": "Append",
    Plans: ["events_2026_11", "events_other"].map((name, at) =>
      scan(name, `e_${at + 1}`, build(`e_${at + 1}`), "Member"),
    ),
  });
  const locking = (build: (alias: string) => string): PlanNode => ({ "Node Type": "LockRows", Plans: [append(build)] });
  const find = (plan: PlanNode) => judgePlan(plan, new Map(), columns).chosenPartitions;
  const both = ["events_2026_11", "events_other"];
  const byJoin = (e: string) => `((${e}.id = d.event_id) AND (${e}.created_at = d.event_at))`;
  expect(find(locking(byJoin))).toEqual(both);
  expect(find(locking((e) => `(${e}.created_at >= (d.event_at - '1 day'::interval))`))).toEqual(both);
  expect(find(locking((e) => `(${e}.created_at > (InitPlan 1).col1)`))).toEqual(both);
  expect(find(append(byJoin))).toEqual([]);
  expect(find(locking((e) => `((${e}.id = d.event_id) AND (${e}.created_at >= $1))`))).toEqual([]);
  expect(find(locking((e) => `(${e}.created_at > ${e}.changed_at)`))).toEqual([]);
  const change = (Operation: string): PlanNode => ({
    "Node Type": "ModifyTable",
    Operation,
    Plans: [{ "Node Type": "CTE Scan" }, { ...append(byJoin), "Parent Relationship": "InitPlan" }],
  });
  expect(find(change("Delete"))).toEqual(both);
  expect(find(change("Insert"))).toEqual([]);
});

test("an insert requires a given account or a pinned row's account", () => {
  const insert = (account: string, source: PlanNode): PlanNode => ({
    "Node Type": "ModifyTable",
    Operation: "Insert",
    "Relation Name": "notes",
    Alias: "notes",
    Plans: [{ ...source, "Parent Relationship": "Outer", Output: ["nextval('notes_id_seq'::regclass)", account] }],
  });
  expect(findUnpinned(insert("$1", { "Node Type": "Result" }))).toEqual([]);
  expect(findUnpinned(insert("r.account_id", scan("requests", "r", "(r.account_id = $1)")))).toEqual([]);
  expect(findUnpinned(insert("w.account_id", scan("webhooks", "w", "(w.id = $1)")))).toEqual(["notes"]);
});

test("conditions are read with their parentheses, casts and quotes", () => {
  expect(parseEqualities(`(("*SELECT*".account_id = ($1)::text) AND (a.name = ' AND (x = y)'::text))`)).toEqual([
    { left: "*SELECT*.account_id", right: "$1", isList: false },
    { left: "a.name", right: "' AND (x = y)'", isList: false },
  ]);
});
