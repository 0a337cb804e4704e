import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { exportAsTable, runImport } from "../support/clients/import-and-export.ts";
import { randomNumbers } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

// Many rows are saved at once, and nobody can tell: a file has the same end as its rows sent one by one. The rows here are
// made to get in each other's way: they mean the same records, refer to each other, rename what others refer to, and
// some are wrong.

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
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const rarely = <T>(value: T, otherwise: T): T => (random() < 0.12 ? value : otherwise);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

const people = () => {
  const number = one(upTo(60));
  const email = (n: number) => `${one(["p", "P"])}${n}@widget.example`;
  const source = rarely("", "HR");
  const row = [rarely("nonsense", email(number)), `Person ${one(upTo(9))}`, source];
  // Of a lower number: circles have no order in which their rows could be sent one by one.
  const manager = one(["", number === 0 ? "" : email(one(upTo(number))), "sam@widget.example"]);
  return [...row, source === "" ? "" : `S${rarely(one(upTo(60)), number)}`, manager, rarely("1", "0")];
};
const organizations = () => [
  `Org ${one(upTo(10))}`,
  rarely("", "ERP"),
  `O${one(upTo(12))}`,
  one(["", "", `Org ${one(upTo(10))}`]),
  rarely("1", "0"),
];
const cis = () => [
  one(["", `CI${one(upTo(20))}`, `ci${one(upTo(20))}`]),
  one(["", "Box", `Thing ${one(upTo(6))}`]),
  rarely("Nothing", one(["Box", "Crate"])),
  one(["in_production", "in_production", "in_stock", "removed"]),
  one(["", `SN${one(upTo(30))}`]),
  one(["", "Scan"]),
  `D${one(upTo(25))}`,
];

const changing = new Set(["ID", "Created At", "Updated At"]);
const left = async (the: World, type: string) =>
  (await exportAsTable(the.as("administrator"), type)).map((row) =>
    JSON.stringify(Object.entries(row).filter(([name]) => !changing.has(name))),
  );

describe("a file has the same end as its rows one by one", () => {
  for (const [type, headers, row, count] of [
    ["people", "Primary Email,Name,Source,Source ID,Manager,Disabled", people, 45],
    ["organizations", "Name,Source,Source ID,Parent,Disabled", organizations, 35],
    ["cis", "Label,Name,Product,Status,Serial Number,Source,Source ID", cis, 45],
  ] as const)
    test(type, async () => {
      // Now and then somebody says again what was said before, and everything was said once before it begins.
      const rows: string[] = [];
      while (rows.length < count) rows.push(rows.length > 0 && random() < 0.3 ? one(rows) : row().join(","));
      const before = [headers, ...rows.slice(0, count / 3)].join("\n");
      for (const the of [whole, single]) await runImport(the.as("administrator"), type, before);
      const [at, once] = [whole.as("administrator"), single.as("administrator")];
      const { results, log } = await runImport(at, type, [headers, ...rows].join("\n"));
      const sum: Record<string, number> = {};
      const said: string[] = [];
      for (const [index, line] of rows.entries()) {
        const each = await runImport(once, type, `${headers}\n${line}`);
        for (const [name, number] of Object.entries(each.results as Record<string, number>))
          sum[name] = (sum[name] ?? 0) + number;
        said.push(
          ...each.log
            .trim()
            .split("\n")
            .slice(1)
            .map((text: string) => text.replace(/^2:/, `${index + 2}:`)),
        );
      }
      assert.ok(results.created > 3 && results.updated > 5 && results.failures > 5, JSON.stringify(results));
      assert.deepEqual(log.trim().split("\n").slice(1), said, rows.join("\n"));
      assert.deepEqual(results, sum);
      assert.deepEqual(await left(whole, type), await left(single, type));
    });
});
