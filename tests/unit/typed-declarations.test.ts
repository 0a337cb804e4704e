import { expect, test } from "vitest";
import {
  type AssertNone,
  aggregated,
  any,
  backRef,
  choice,
  codeRef,
  eitherRef,
  id,
  opt,
  record,
  ref,
  refs,
  req,
  ro,
  savedAs,
  stateMachine,
  string,
  type TypesByName,
  timestamps,
  type UnknownTypeNames,
  where,
} from "../../records/vocabulary/index.ts";
import { task } from "../../records/work/task.ts";
import { type Change, rulesFor } from "../../server/engine/rules.ts";

// Errors in declarations and hooks that the compiler finds. `tsc` fails on a @ts-expect-error line without an error, so
// each line proves a check. The line before it shows that the correct form compiles.

const fields = {
  id,
  name: req(string(10)),
  status: opt(choice("task.status")),
  owner: opt(ref("person")),
  ...timestamps,
};
const declare = { collection: "samples", fields };

function fieldNames(): void {
  record("sample", { ...declare, display: "name" });
  // @ts-expect-error
  record("sample", { ...declare, display: "nam" });
  record("sample", { ...declare, defaultFields: ["id", "name"] });
  // @ts-expect-error
  record("sample", { ...declare, defaultFields: ["id", "nam"] });
  record("sample", { ...declare, filterable: ["name"] });
  // @ts-expect-error
  record("sample", { ...declare, filterable: ["nam"] });
  record("sample", { ...declare, sortable: ["name", "owner_id"] });
  // @ts-expect-error
  record("sample", { ...declare, sortable: ["name", "ownr_id"] });
  record("sample", { ...declare, searchable: ["name"] });
  // @ts-expect-error
  record("sample", { ...declare, searchable: ["nam"] });
  record("sample", { ...declare, sort: "-name" });
  // @ts-expect-error
  record("sample", { ...declare, sort: "-nam" });
  record("sample", { ...declare, unique: [["name", "owner"]] });
  // @ts-expect-error
  record("sample", { ...declare, unique: [["name", "ownr"]] });
  record("sample", { ...declare, sharing: { perAccount: ["owner"] } });
  // @ts-expect-error
  record("sample", { ...declare, sharing: { perAccount: ["ownr"] } });
  record("sample", { ...declare, views: { named: where({ name: "present" }) } });
  // @ts-expect-error
  record("sample", { ...declare, views: { named: where({ nam: "present" }) } });
  record("sample", { ...declare, views: { any: any(where({ name: "x" }), where({ owner: 1 })) } });
  // @ts-expect-error
  record("sample", { ...declare, views: { any: any(where({ name: "x" }), where({ ownr: 1 })) } });
  record("sample", { ...declare, access: { visible: where({ owner: 1 }) } });
  // @ts-expect-error
  record("sample", { ...declare, access: { visible: where({ ownr: 1 }) } });
}

function statesAndEnumerations(): void {
  const assigned = { initial: "assigned", unlisted: "allowed", moves: [] } as const;
  record("sample", { ...declare, states: stateMachine({ ...assigned, states: ["assigned", "completed"] }) });
  // @ts-expect-error: a state that isn't a value of the enumeration of `status`
  record("sample", { ...declare, states: stateMachine({ ...assigned, states: ["assigned", "finished"] }) });

  const states = ["assigned", "completed"] as const;
  stateMachine({ ...assigned, states, moves: [{ from: "assigned", on: savedAs("completed"), to: "completed" }] });
  // @ts-expect-error: moves refer to states of the machine
  stateMachine({ ...assigned, states, moves: [{ from: "asigned", on: savedAs("completed"), to: "completed" }] });
  // @ts-expect-error
  stateMachine({ ...assigned, states, moves: [{ from: "assigned", on: savedAs("complete"), to: "completed" }] });
  // @ts-expect-error
  stateMachine({ ...assigned, states, moves: [{ from: "assigned", on: savedAs("completed"), to: "complete" }] });
  // @ts-expect-error
  stateMachine({ ...assigned, states, initial: "asigned" });

  choice("task.status", ["assigned"]);
  // @ts-expect-error: not a value of the enumeration
  choice("task.status", ["asigned"]);
  // @ts-expect-error: not an enumeration
  choice("task.statis");
}

// Names of other types are checked when the types are put into a register.
const bare = { collection: "samples", fields: { id } };
const sample = record("sample", { ...bare, fields: { id, other: opt(ref("sample")), others: opt(refs("sample")) } });
type Known = AssertNone<UnknownTypeNames<TypesByName<[typeof sample]>>>;

type UnknownBeside<T extends (typeof wrong)[keyof typeof wrong]> = UnknownTypeNames<TypesByName<[typeof sample, T]>>;
const wrong = {
  ref: record("wrong", { ...bare, fields: { id, other: opt(ref("smple")) } }),
  refs: record("wrong", { ...bare, fields: { id, others: opt(refs("smple")) } }),
  eitherRef: record("wrong", { ...bare, fields: { id, other: opt(eitherRef("sample", "smple")) } }),
  codeRef: record("wrong", { ...bare, fields: { id, other: opt(codeRef("smple")) } }),
  backRef: record("wrong", { ...bare, fields: { id, other: ro(backRef("smple", "wrong")) } }),
  aggregated: record("wrong", { ...bare, fields: { id, others: ro(aggregated("smple")) } }),
  ownedBy: record("wrong", { ...bare, ownedBy: ["sample", "smple"] }),
  createdUnder: record("wrong", { ...bare, createdUnder: [{ parent: "smple", path: "wrong", field: "other" }] }),
  children: record("wrong", { ...bare, children: { others: { of: "smple" } } }),
  links: record("wrong", { ...bare, links: { a: { to: "sample", table: "a" }, b: { to: "smple", inverse: "b" } } }),
  lists: record("wrong", { ...bare, lists: { a: { of: "sample", by: "wrong" }, b: { of: "smple", by: "wrong" } } }),
  through: record("wrong", { ...bare, lists: { a: { of: "sample", where: where({ id: 1 }), through: "smple" } } }),
  sharesIdsWith: record("wrong", { ...bare, storage: { sharesIdsWith: "smple" } }),
};
type Unknown = {
  // @ts-expect-error
  ref: AssertNone<UnknownBeside<typeof wrong.ref>>;
  // @ts-expect-error
  refs: AssertNone<UnknownBeside<typeof wrong.refs>>;
  // @ts-expect-error
  eitherRef: AssertNone<UnknownBeside<typeof wrong.eitherRef>>;
  // @ts-expect-error
  codeRef: AssertNone<UnknownBeside<typeof wrong.codeRef>>;
  // @ts-expect-error
  backRef: AssertNone<UnknownBeside<typeof wrong.backRef>>;
  // @ts-expect-error
  aggregated: AssertNone<UnknownBeside<typeof wrong.aggregated>>;
  // @ts-expect-error
  ownedBy: AssertNone<UnknownBeside<typeof wrong.ownedBy>>;
  // @ts-expect-error
  createdUnder: AssertNone<UnknownBeside<typeof wrong.createdUnder>>;
  // @ts-expect-error
  children: AssertNone<UnknownBeside<typeof wrong.children>>;
  // @ts-expect-error
  links: AssertNone<UnknownBeside<typeof wrong.links>>;
  // @ts-expect-error
  lists: AssertNone<UnknownBeside<typeof wrong.lists>>;
  // @ts-expect-error
  through: AssertNone<UnknownBeside<typeof wrong.through>>;
  // @ts-expect-error
  sharesIdsWith: AssertNone<UnknownBeside<typeof wrong.sharesIdsWith>>;
};

function registers(_correct: Known, _mistakes: Unknown): void {}

function hooks(): void {
  rulesFor(task, {
    beforeSave({ before, after, changed, given, problem }) {
      after.subject = after.subject.trim();
      // @ts-expect-error
      after.subjct = "x";
      // @ts-expect-error
      void before?.subjct;
      changed.has("subject");
      // @ts-expect-error
      changed.has("subjct");
      given.has("subject");
      // @ts-expect-error
      given.has("subjct");
      problem("subject", "is not valid");
      // @ts-expect-error
      problem("subjct", "is not valid");
      after.status = "completed";
      // @ts-expect-error: not a value of the enumeration
      after.status = "complete";
      // @ts-expect-error
      void (before?.status === "finished");
      after.member = null;
      // @ts-expect-error: a required value
      after.planned_duration = null;
      // @ts-expect-error: an optional reference may be missing
      after.member.toFixed();
    },
  });
  // @ts-expect-error: not a hook
  rulesFor(task, { beforeSav() {} });
}

async function changes({ create, update }: Change): Promise<void> {
  await create("task", { subject: "x" });
  // @ts-expect-error
  await create("tsk", { subject: "x" });
  // @ts-expect-error
  await create("task", { subjct: "x" });
  await update("task", 1, { subject: "x", status: "completed", member: null });
  // @ts-expect-error
  await update("tsk", 1, {});
  // @ts-expect-error
  await update("task", 1, { subjct: "x" });
  // @ts-expect-error: a number
  await update("task", 1, { member: "x" });
  // @ts-expect-error: not a value of the enumeration
  await update("task", 1, { status: "complete" });
}

test("the module loads, although the compiler rejects its errors", () => {
  for (const mistakes of [fieldNames, statesAndEnumerations, registers, hooks, changes])
    expect(mistakes).toBeTypeOf("function");
});
