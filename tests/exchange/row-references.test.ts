import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { emptyImportResult, postImport, runImport } from "../support/clients/import-and-export.ts";
import { until } from "../support/waiting.ts";
import { type Client, type World, world } from "../support/world.ts";

// IE24, IE25: rows of a file that have the same key, and rows that refer to each other. A check and an import agree.

let the: World;
let ada: Client;
beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
});

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
type Summary = any;

async function summarize(token: string, isOver: (summary: Summary) => boolean): Promise<Summary> {
  let summary: Summary;
  await until(async () => {
    summary = (await ada.get(`/import/${token}/summary`)).body;
    return isOver(summary);
  });
  return summary;
}
const hasEnded = ({ state }: Summary) => state === "done" || state === "error";

/** Checks the file and then imports it. Both must have the same results and refuse the same rows for the same reasons. */
async function checkAndImport(type: string, rows: readonly string[]) {
  const run = async (more: Record<string, string>) => {
    const { body } = await postImport(ada, type, rows.join("\n"), more);
    const { results } = await summarize(body.token, hasEnded);
    const refused = (await ada.get(`/import/${body.token}/rows?state=refused&per_page=500`)).body as Summary[];
    return {
      results: { ...emptyImportResult, ...results },
      refused: refused.map(({ line, errors }) => [line, errors[0][0], errors[0][1]]),
      token: body.token as string,
    };
  };
  const check = await run({ dry_run: "true" });
  const done = await run({});
  assert.deepEqual([done.results, done.refused], [check.results, check.refused]);
  return done;
}

async function undo(token: string): Promise<Summary> {
  assert.equal((await ada.post(`/import/${token}/undo`)).status, 202);
  return (await summarize(token, ({ undo: { state } }) => state === "done")).undo;
}

const loadManagers = async (prefix: string) =>
  Object.fromEntries(
    (
      await the.sql<{ name: string; manager: string | null }>(
        `SELECT p.name, m.name AS manager FROM people p LEFT JOIN people m ON m.id = p.manager_id
WHERE p.primary_email LIKE $1 ORDER BY p.name`,
        [`${prefix}%`],
      )
    ).map(({ name, manager }) => [name, manager]),
  );

describe("IE24: a row with a key of an earlier row is refused", () => {
  test("an email address that occurs twice renames no one, whether the person is new or exists", async () => {
    const { results, refused } = await checkAndImport("people", [
      "Primary Email,Name",
      "twice@widget.example,First",
      "TWICE@widget.example,Second",
      "sam@widget.example,Sam Specialist",
      "sam@widget.example,Renamed",
    ]);
    assert.deepEqual(results, { ...emptyImportResult, created: 1, unchanged: 1, failures: 2 });
    assert.deepEqual(refused, [
      [3, "primary_email", "is already used in row 2"],
      [5, "primary_email", "is already used in row 4"],
    ]);
    assert.deepEqual(await loadManagers("twice"), { First: null });
  });

  for (const [what, type, rows, refused] of [
    ["a source ID", "sites", ["Name,Source,Source ID", "A,X,1", "B,X,1", "C,X,2", "D,Y,1"], [[3, "sourceID"]]],
    ["an ID", "people", ["ID,Job Title", "3,Clerk", "3,Cook"], [[3, "id"]]],
    [
      "a contact's label",
      "people_contact_details",
      ["Person,Label,Telephone", "sam@widget.example,work,1", "sam@widget.example,work,2", "mia@widget.example,work,3"],
      [[3, "label"]],
    ],
    ["a unique reference", "custom_collections", ["Name,Reference", "A,one", "B,one"], [[3, "reference"]]],
    [
      "a view's name",
      "custom_views",
      ["Name,Definition", 'V,"{""list"":""requests""}"', 'V,"{""list"":""tasks""}"'],
      [[3, "name"]],
    ],
    [
      "an email template's language",
      "email_templates",
      ["Name,Language,Subject,Text", "completed,fr,fini,{record} est fini.", "completed,fr,clos,{record} est clos."],
      [[3, "language"]],
    ],
  ] as const)
    test(`${what} twice`, async () => {
      const done = await checkAndImport(type, rows);
      assert.deepEqual(
        done.refused.map(([line, field]) => [line, field]),
        refused,
      );
    });

  test("records without a key may have the same name", async () => {
    const { results } = await checkAndImport("sites", ["Name,Source,Source ID", "Same,,", "Same,,"]);
    assert.deepEqual(results, { ...emptyImportResult, created: 2 });
  });
});

describe("IE25: a row may name a record that any other row creates", () => {
  test("in any order, and an undo leaves nothing", async () => {
    const depth = 130; // more than one batch of an undo
    const rows = Array.from({ length: depth }, (_, n) => `o${n}@widget.example,O${n},o${n + 1}@widget.example`);
    const orders = [rows, rows.toReversed(), rows.toSorted((one, other) => (one.slice(2) < other.slice(2) ? -1 : 1))];
    for (const order of orders) {
      const file = ["Primary Email,Name,Manager", ...order, `O${depth}@Widget.example,O${depth},sam@widget.example`];
      const { results, token } = await checkAndImport("people", file);
      assert.deepEqual(results, { ...emptyImportResult, created: depth + 1 });
      const found = await loadManagers("o");
      for (let n = 0; n < depth; n++) assert.equal(found[`O${n}`], `O${n + 1}`);
      const { undone, kept } = await undo(token);
      assert.deepEqual([undone, kept], [depth + 1, 0]);
      assert.deepEqual(await the.sql("SELECT 1 FROM people WHERE name ~ '^O\\d+$'"), []);
    }
  });

  test("existing people get new managers from the file, and an undo restores the former ones", async () => {
    const before = await the.sql("SELECT id, manager_id FROM people ORDER BY id");
    const { results, token } = await checkAndImport("people", [
      "Primary Email,Name,Manager",
      "sam@widget.example,Sam Specialist,boss@widget.example",
      "boss@widget.example,Boss,",
    ]);
    assert.deepEqual(results, { ...emptyImportResult, created: 1, updated: 1 });
    assert.deepEqual((await loadManagers("sam@"))["Sam Specialist"], "Boss");
    const { kept } = await undo(token);
    assert.equal(kept, 0);
    assert.deepEqual(await the.sql("SELECT id, manager_id FROM people ORDER BY id"), before);
  });

  test("rows that refer to each other in a circle are saved, with the rows that refer to them", async () => {
    const { results, token } = await checkAndImport("people", [
      "Primary Email,Name,Manager",
      "c1@widget.example,C1,c2@widget.example",
      "c2@widget.example,C2,c3@widget.example",
      "c0@widget.example,C0,c1@widget.example",
      "c3@widget.example,C3,c1@widget.example",
    ]);
    assert.deepEqual(results, { ...emptyImportResult, created: 4 });
    assert.deepEqual(await loadManagers("c"), { C0: "C1", C1: "C2", C2: "C3", C3: "C1" });
    const { undone, kept } = await undo(token);
    assert.deepEqual([undone, kept], [4, 0]);
    assert.deepEqual(await loadManagers("c"), {});
  });

  test("a row that refers to a refused row is refused, along the whole chain and in circles", async () => {
    const { results, refused } = await checkAndImport("people", [
      "Primary Email,Name,Manager,Time Zone",
      "r1@widget.example,R1,r2@widget.example,",
      "r2@widget.example,R2,r3@widget.example,",
      "r3@widget.example,R3,,Nowhere",
      "r4@widget.example,R4,r5@widget.example,",
      "r5@widget.example,R5,r4@widget.example,Nowhere",
      "r6@widget.example,R6,nobody@widget.example,",
      "r7@widget.example,R7,,",
    ]);
    assert.deepEqual(results, { ...emptyImportResult, created: 1, failures: 6 });
    assert.deepEqual(refused, [
      [2, "manager", "names row 3, which was refused"],
      [3, "manager", "names row 4, which was refused"],
      [4, "time_zone", "is not a valid time zone"],
      [5, "manager", "names row 6, which was refused"],
      [6, "time_zone", "is not a valid time zone"],
      [7, "manager", "is not valid"],
    ]);
    assert.deepEqual(await loadManagers("r_@"), { R7: null });
  });

  test("references to records of the same type work in any order, too", async () => {
    const { results } = await checkAndImport("organizations", ["Name,Parent", "Leaf,Branch", "Branch,Root", "Root,"]);
    assert.deepEqual(results, { ...emptyImportResult, created: 3 });
    const found = await the.sql(
      "SELECT o.name, p.name AS parent FROM organizations o JOIN organizations p ON p.id = o.parent_id WHERE o.name IN ('Leaf', 'Branch') ORDER BY 1",
    );
    assert.deepEqual(found, [
      { name: "Branch", parent: "Root" },
      { name: "Leaf", parent: "Branch" },
    ]);
  });

  test("the rows before an error in the file are imported, also those that waited for later rows", async () => {
    const file = [
      "Primary Email,Name,Manager",
      "m1@widget.example,M1,m2@widget.example",
      "m2@widget.example,M2,",
      '"x"y',
    ];
    const { state, results, message } = await runImport(ada, "people", file.join("\n"));
    assert.deepEqual([state, results], ["error", { ...emptyImportResult, created: 2 }]);
    assert.match(message, /line 4/);
    assert.deepEqual(await loadManagers("m_@"), { M1: "M2", M2: null });
  });
});
