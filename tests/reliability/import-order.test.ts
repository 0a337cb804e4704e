import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { exportAsTable, runImport } from "../support/clients/import-and-export.ts";
import { randomNumbers } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

// An import saves many rows together and reorders rows that refer to later ones. A file must have the same result as its rows
// sent one by one, referenced rows first. These rows are made to conflict: they refer to each other, rename what others refer
// to, and some are invalid. No two have the same key, which IE24 refuses.

let whole: World;
let single: World;
beforeAll(async () => {
  whole = await world();
  single = await world();
  for (const the of [whole, single]) {
    const ada = the.as("administrator");
    await runImport(ada, "product_categories", "Group,Name,Rule Set\nThings,Boxes,physical_asset\n");
    await runImport(
      ada,
      "products",
      "Name,Brand,Model,Category,Support Team\nBox,Acme,M1,things/boxes,Networks\nCrate,Acme,M2,things/boxes,Networks\n",
    );
  }
});

const random = randomNumbers("rows of imports");
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const rarely = <T>(value: T, otherwise: T): T => (random() < 0.12 ? value : otherwise);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

const people = () => {
  const number = pick(upTo(60));
  const email = (n: number) => `${pick(["p", "P"])}${n}@widget.example`;
  const source = rarely("", "HR");
  const row = [rarely("nonsense", email(number)), `Person ${pick(upTo(9))}`, source];
  // With a lower number, because rows in a circle couldn't be sent one by one.
  const manager = pick(["", number === 0 ? "" : email(pick(upTo(number))), "sam@widget.example"]);
  return [...row, source === "" ? "" : `S${rarely(pick(upTo(60)), number)}`, manager, rarely("1", "0")];
};
const organizations = () => [
  `Org ${pick(upTo(40))}`,
  rarely("", "ERP"),
  `O${pick(upTo(60))}`,
  pick(["", "", "Root", "Nobody"]),
  rarely("1", "0"),
];
const cis = () => [
  pick(["", `CI${pick(upTo(60))}`, `ci${pick(upTo(60))}`]),
  pick(["", "Box", `Thing ${pick(upTo(6))}`]),
  rarely("Nothing", pick(["Box", "Crate"])),
  pick(["in_production", "in_production", "in_stock", "removed"]),
  pick(["", `SN${pick(upTo(60))}`]),
  pick(["", "Scan"]),
  `D${pick(upTo(60))}`,
];

const changing = new Set(["ID", "Created At", "Updated At"]);
const loadRecords = async (the: World, type: string) =>
  (await exportAsTable(the.as("administrator"), type)).map((row) =>
    JSON.stringify(Object.entries(row).filter(([name]) => !changing.has(name))),
  );

/** Drops rows that share a key with an earlier row; `keys`: the columns of each key. */
function pickDistinct(rows: readonly string[][], keys: readonly (readonly number[])[]): string[] {
  const used = new Set<string>();
  return rows
    .filter((cells) => {
      const own = keys
        .map((columns) => [columns, ...columns.map((column) => cells[column]?.toLowerCase())].join(" "))
        .filter((_, at) => keys[at]?.every((column) => cells[column] !== ""));
      const isFree = !own.some((key) => used.has(key));
      if (isFree) for (const key of own) used.add(key);
      return isFree;
    })
    .map((cells) => cells.join(","));
}

const unknownReference = /(Manager|Parent) is not valid/;
const describeUnknown = (text: string) => text.replace(/names row \d+, which was refused/, "is not valid");

describe("a file has the same result as its rows sent one by one", () => {
  for (const [type, headers, row, keys] of [
    ["people", "Primary Email,Name,Source,Source ID,Manager,Disabled", people, [[0], [2, 3]]],
    ["organizations", "Name,Source,Source ID,Parent,Disabled", organizations, [[1, 2]]],
    ["cis", "Label,Name,Product,Status,Serial Number,Source,Source ID", cis, [[0], [4], [5, 6]]],
  ] as const)
    test(type, async () => {
      const pickRows = (count: number) => pickDistinct(Array.from({ length: count }, row), keys);
      const before = [headers, ...pickRows(90)].join("\n");
      for (const the of [whole, single]) await runImport(the.as("administrator"), type, before);
      // Other rows refer to the last row as their parent.
      const rows = [...pickRows(60), ...(type === "organizations" ? ["Root,,,,0"] : [])];
      const [at, once] = [whole.as("administrator"), single.as("administrator")];
      const { results, log } = await runImport(at, type, [headers, ...rows].join("\n"));
      const sum: Record<string, number> = {};
      const logs = new Map<number, string>();
      // Rows that refer to later ones are sent again after them.
      for (
        let queue = rows.map((line, index) => ({ line, index })), sent = Number.POSITIVE_INFINITY;
        queue.length < sent;
      ) {
        sent = queue.length;
        const waiting: typeof queue = [];
        for (const entry of queue) {
          const each = await runImport(once, type, `${headers}\n${entry.line}`);
          const text = each.log
            .trim()
            .split("\n")
            .slice(1)
            .join("\n")
            .replace(/^2:/, `${entry.index + 2}:`);
          logs.set(entry.index, text);
          if (unknownReference.test(text)) waiting.push(entry);
          else
            for (const [name, number] of Object.entries(each.results as Record<string, number>))
              sum[name] = (sum[name] ?? 0) + number;
        }
        queue = waiting;
      }
      const unknown = [...logs.values()].filter((text) => unknownReference.test(text)).length;
      sum.failures = (sum.failures ?? 0) + unknown;
      const expected = rows.map((_, index) => logs.get(index) as string).filter((text) => text !== "");
      assert.ok(results.created > 3 && results.updated > 2 && results.failures > 0, JSON.stringify(results));
      assert.deepEqual(log.trim().split("\n").slice(1).map(describeUnknown), expected, rows.join("\n"));
      assert.deepEqual(results, sum);
      const loadSorted = async (the: World) => (await loadRecords(the, type)).sort();
      assert.deepEqual(await loadSorted(whole), await loadSorted(single));
    });
});
