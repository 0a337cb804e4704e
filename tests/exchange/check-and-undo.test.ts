import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { Unavailable } from "../../server/base/errors.ts";
import {
  emptyImportResult,
  parseCsvTable,
  postImport,
  runImport,
  waitsForStop,
} from "../support/clients/import-and-export.ts";
import { until } from "../support/waiting.ts";
import { type Client, type World, world } from "../support/world.ts";

// IE20 to IE23: checking a file, correcting it, stopping an import and undoing it.

let the: World;
let ada: Client;
/** Calls `act` when a site with this name is saved. */
let onSite: { name: string; act(): void | Promise<void> } | null = null;
beforeAll(async () => {
  the = await world({
    rules: {
      site: {
        async afterSave({ after }) {
          if (onSite !== null && after.name === onSite.name) await onSite.act();
        },
      },
    },
  });
  ada = the.as("administrator");
});

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
type Summary = any;

async function waitForEnd(token: string): Promise<Summary> {
  let summary: Summary;
  await until(async () => {
    summary = (await ada.get(`/import/${token}/summary`)).body;
    return summary.state === "done" || summary.state === "error";
  });
  return summary;
}
async function check(type: string, file: string, more: Record<string, string> = {}): Promise<Summary> {
  const { body, status, text } = await postImport(ada, type, file, { dry_run: "true", ...more });
  assert.equal(status, 200, text);
  return waitForEnd(body.token);
}
async function repeatImport(token: string, body: unknown): Promise<Summary> {
  const answer = await ada.post(`/import/${token}/again`, body);
  assert.equal(answer.status, 202, answer.text);
  return waitForEnd(answer.body.token);
}
async function undo(token: string): Promise<Summary> {
  const answer = await ada.post(`/import/${token}/undo`);
  assert.equal(answer.status, 202, answer.text);
  let summary: Summary;
  await until(async () => {
    summary = (await ada.get(`/import/${token}/summary`)).body;
    return summary.undo.state === "done";
  });
  return summary.undo;
}
const loadRows = async (token: string, state: string): Promise<Summary[]> =>
  (await ada.get(`/import/${token}/rows?state=${state}&per_page=500`)).body;
const loadLastToken = async () => (await ada.get("/import?dry_run=false")).body[0].token as string;

/** All stored data of the account's people, except the columns that count changes. */
const loadPeople = () =>
  the.sql(
    `SELECT to_jsonb(p) - 'updated_at' - 'revision' AS person, (SELECT json_agg(t.team_id ORDER BY t.team_id) FROM team_members t WHERE t.person_id = p.id) AS teams
FROM people p WHERE account_id = 'widget-it' ORDER BY id`,
  );
const countLines = async () => (await the.sql("SELECT count(*) FROM audit_lines"))[0]?.count;

describe("IE20: a check", () => {
  const file = [
    "Mail,Nom,Time Zone,Manager,Colour",
    "c1@widget.example,Chief One,London,sam@widget.example,red",
    "c2@widget.example,Two,Nowhere,c1@widget.example,",
    "c3@widget.example,Three,London,c1@widget.example,",
    "nonsense,Four,London,,",
    "sam@widget.example,Samuel,,,",
  ].join("\n");

  test("reports exactly the wrong rows, recognizes columns in five languages, and changes nothing", async () => {
    const [before, lines] = [await loadPeople(), await countLines()];
    const first = await check("people", file);
    assert.deepEqual(
      first.columns.map(({ header, field, known }: Summary) => [header, field, known]),
      [
        ["Mail", null, false],
        ["Nom", "name", true],
        ["Time Zone", "time_zone", true],
        ["Manager", "manager", true],
        ["Colour", null, false],
      ],
    );
    const mapped = await repeatImport(first.token, { dry_run: true, mapping: { Mail: "primary_email", Colour: null } });
    assert.deepEqual(mapped.results, { ...emptyImportResult, created: 2, updated: 1, failures: 2 });
    assert.deepEqual([mapped.total, mapped.done], [5, 5]);
    assert.deepEqual(mapped.columns[0].samples, ["c1@widget.example", "c2@widget.example", "c3@widget.example"]);
    assert.deepEqual(
      (await loadRows(mapped.token, "refused")).map(({ line, errors }) => [line, errors[0][0]]),
      [
        [3, "time_zone"],
        [5, "primary_email"],
      ],
    );
    const [changed] = await loadRows(mapped.token, "changed");
    assert.deepEqual([changed.line, changed.record_id, changed.shown.name], [6, 3, "Sam Specialist"]);
    assert.deepEqual([await loadPeople(), await countLines()], [before, lines]);
  });

  test("is repeated with corrected cells and then imported without another upload", async () => {
    const mapping = { Mail: "primary_email", Colour: null };
    const first = await check("people", file, { mapping: JSON.stringify(mapping) });
    const fixed = await repeatImport(first.token, {
      dry_run: true,
      corrections: { 3: { "Time Zone": "Paris" }, 5: null },
    });
    assert.deepEqual(fixed.results, { ...emptyImportResult, created: 3, updated: 1 });
    const before = await loadPeople();
    const done = await repeatImport(fixed.token, {});
    assert.deepEqual(done.results, { ...emptyImportResult, created: 3, updated: 1 });
    const [two] = await the.sql("SELECT name, time_zone FROM people WHERE primary_email = 'c2@widget.example'");
    assert.deepEqual(two, { name: "Two", time_zone: "Paris" });
    const selectOrigin =
      "SELECT origin FROM audit_lines WHERE audited = 'person' AND action = $1 ORDER BY id DESC LIMIT 1";
    const [made] = await the.sql(selectOrigin, ["create"]);
    assert.deepEqual(made?.origin, { kind: "import", id: done.token.slice(0, 6), token: "test", row: 4 });
    const [listed] = (await ada.get("/import?dry_run=false&per_page=1")).body;
    assert.deepEqual([listed.token, listed.program], [done.token, { token: "test" }]);
    assert.deepEqual((await undo(done.token)).undone, 4);
    assert.deepEqual(await loadPeople(), before);
    const [deletion] = await the.sql(selectOrigin, ["update"]);
    assert.deepEqual(deletion?.origin, { kind: "import", id: done.token.slice(0, 6), token: "test", undo: true });
  });

  test("offers a file of the refused rows, which can be imported after it is corrected", async () => {
    const text = "Primary Email,Name,Time Zone\ne1@widget.example,E One,Mars\ne2@widget.example,E Two,London\n";
    const { error_file } = await waitForEnd((await postImport(ada, "people", text)).body.token);
    const errors = await (await fetch(error_file)).text();
    const [row, ...more] = await parseCsvTable(errors);
    assert.deepEqual([row?.Name, more.length], ["E One", 0]);
    assert.match(row?.Errors ?? "", /Time zone/);
    const repaired = await runImport(ada, "people", errors.replace("Mars", "Paris"));
    assert.deepEqual(repaired.results, { ...emptyImportResult, created: 1 }, repaired.log);
  });

  test("IE26: is imported once, however often it is confirmed, and then says so", async () => {
    const first = await check("sites", "Name\nOnce\n");
    assert.equal(first.import_token, null);
    const confirmed = await Promise.all([1, 2, 3].map(() => ada.post(`/import/${first.token}/again`, {})));
    const tokens = new Set(confirmed.map(({ body }) => body.token));
    assert.equal(tokens.size, 1);
    const [token] = tokens;
    assert.deepEqual((await waitForEnd(token)).results, { ...emptyImportResult, created: 1 });
    assert.equal((await ada.post(`/import/${first.token}/again`, {})).body.token, token);
    assert.equal((await ada.post(`/import/${first.token}/again`, { dry_run: true })).status, 422);
    assert.equal((await ada.get(`/import/${first.token}/summary`)).body.import_token, token);
    assert.equal((await the.sql("SELECT 1 FROM sites WHERE name = 'Once'")).length, 1);
  });

  test("detects which missing records have been created since", async () => {
    const text = "Primary Email,Name,Site\nk1@widget.example,K One,Later\nk2@widget.example,K Two,Never\n";
    const { token } = await check("people", text);
    const lookups = async () => (await loadRows(token, "refused")).map(({ errors }) => errors[0][2]);
    assert.deepEqual(await lookups(), ["unknown", "unknown"]);
    await ada.post("/sites", { name: "Later" });
    assert.deepEqual(await lookups(), ["known", "unknown"]);
  });

  test("refuses invalid mappings and corrections", async () => {
    for (const mapping of ["[]", "{", '{"Name":7}', '{"Name":"nonsense"}'])
      assert.equal((await postImport(ada, "people", "Name\nA\n", { mapping })).status, 422, mapping);
    const { token } = await check("people", "Name\nA\n");
    for (const body of [
      { corrections: [] },
      { corrections: { x: {} } },
      { corrections: { 2: { Name: 7 } } },
      { nonsense: 1 },
    ])
      assert.equal((await ada.post(`/import/${token}/again`, body)).status, 422, JSON.stringify(body));
    assert.equal((await ada.get(`/import/${token}/rows?state=nonsense`)).status, 400);
    assert.equal((await ada.get("/import/nonsense/rows")).status, 404);
    assert.equal((await ada.get("/import?dry_run=nonsense")).status, 400);
  });
});

describe("IE22: an undo", () => {
  const count = Number(process.env.UNDO_ROWS ?? 600);

  test(`of an import of ${count} rows restores every value; a second run of the file changes nothing`, async () => {
    const line = (n: number, word: string) =>
      `u${n}@widget.example,${word} ${n},${word} title ${n},${n % 2},sam@widget.example`;
    const header = "Primary Email,Name,Job Title,VIP,Manager\n";
    const text = (from: number, to: number, word: string) =>
      header + Array.from({ length: to - from }, (_, n) => line(from + n, word)).join("\n");
    await runImport(ada, "people", text(0, count / 2, "First"));
    const before = await loadPeople();
    const first = await runImport(ada, "people", text(0, count, "Second"));
    assert.deepEqual(first.results, { ...emptyImportResult, created: count / 2, updated: count / 2 }, first.log);
    const token = await loadLastToken();
    const second = await runImport(ada, "people", text(0, count, "Second"));
    assert.deepEqual(second.results, { ...emptyImportResult, unchanged: count });
    assert.notDeepEqual(await loadPeople(), before);
    const startTime = performance.now();
    const outcome = await undo(token);
    const seconds = (performance.now() - startTime) / 1000;
    if (count > 1000) process.stdout.write(`${count} rows were undone in ${seconds.toFixed(1)} s.\n`);
    assert.deepEqual([outcome.undone, outcome.kept], [count, 0]);
    assert.deepEqual(await loadPeople(), before);
  });

  test("keeps records that were changed or used since, and reports them", async () => {
    const text = ["Name,Address", "North,1 Street", "South,2 Street", "East,3 Street"].join("\n");
    await runImport(ada, "sites", text);
    const sites = await the.sql<{ id: number }>(
      "SELECT id FROM sites WHERE name IN ('North', 'South', 'East') ORDER BY id",
    );
    const [north, south] = sites.map(({ id }) => id);
    const changes = `ID,Name,Address\n${north},North,9 Road\n${south},South End,2 Street\n`;
    assert.equal((await runImport(ada, "sites", changes)).results.updated, 2);
    const token = await loadLastToken();
    assert.equal((await ada.patch(`/sites/${north}`, { address: "8 Square" })).status, 200);
    assert.deepEqual(
      [(await undo(token)).undone, (await loadRows(token, "kept")).map(({ errors }) => errors)],
      [1, [[["address", "was changed since"]]]],
    );
    const [south2] = await the.sql("SELECT name FROM sites WHERE id = $1", [south]);
    assert.deepEqual(south2, { name: "South" });
    // The first import is the last one now. North was changed and South is used, so only East is removed.
    assert.equal((await ada.patch("/people/3", { site_id: south })).status, 200);
    const created = (await ada.get("/import?dry_run=false")).body.find(({ can_undo }: Summary) => can_undo).token;
    assert.deepEqual(
      [(await undo(created)).kept, (await loadRows(created, "kept")).map(({ line, errors }) => [line, errors[0][1]])],
      [
        2,
        [
          [2, "was changed since"],
          [3, "is still in use"],
        ],
      ],
    );
    assert.deepEqual(await the.sql("SELECT 1 FROM sites WHERE name = 'East'"), []);
    await ada.patch("/people/3", { site_id: null });
  });

  test("restores links", async () => {
    const members = async () => (await ada.get("/teams/1/members")).body.map(({ id }: { id: number }) => id).sort();
    const before = await members();
    const answer = await runImport(ada, "teams", "ID,Members\n1,mia@widget.example\n");
    assert.equal(answer.results.updated, 1, answer.log);
    assert.notDeepEqual(await members(), before);
    assert.equal((await undo(await loadLastToken())).undone, 1);
    assert.deepEqual(await members(), before);
  });

  test("resumes after an interruption", async () => {
    await runImport(
      ada,
      "sites",
      `Name,Address\n${Array.from({ length: 250 }, (_, n) => `S${n},1 Street`).join("\n")}\n`,
    );
    const list = await the.sql<{ id: number }>(
      "SELECT id FROM sites WHERE name LIKE 'S%' AND address = '1 Street' ORDER BY id",
    );
    await runImport(ada, "sites", `ID,Name\n${list.map(({ id }, n) => `${id},S${n} new`).join("\n")}\n`);
    let failed = 0;
    onSite = {
      name: "S20",
      act() {
        onSite = null;
        failed++;
        throw new Unavailable("the power went");
      },
    };
    const token = await loadLastToken();
    assert.equal((await ada.post(`/import/${token}/undo`)).status, 202);
    await until(() => failed > 0);
    await until(
      async () => (await the.sql("SELECT 1 FROM jobs WHERE kind = 'undo import' AND attempts > 0")).length > 0,
    );
    assert.ok((await ada.get(`/import/${token}/summary`)).body.undo.undone > 0);
    assert.equal((await ada.post(`/import/${token}/undo`)).status, 422);
    await the.clock.pass(600);
    const { undo: outcome } = (await ada.get(`/import/${token}/summary`)).body;
    assert.deepEqual([outcome.state, outcome.undone, outcome.kept], ["done", list.length, 0]);
    assert.deepEqual(await the.sql("SELECT 1 FROM sites WHERE name LIKE '% new'"), []);
  });

  test("reverts roles and shared views, which aren't records", async () => {
    const roles = async () =>
      (await the.sql("SELECT role FROM permissions WHERE account_id = 'widget-it' AND person_id = 5 ORDER BY 1")).map(
        ({ role }) => role,
      );
    const before = await roles();
    const rita = "rita@widget.example";
    const assigned = await runImport(
      ada,
      "people_roles",
      `Person,Role\n${rita},specialist\n${rita},service_desk_analyst\n`,
    );
    assert.equal(assigned.results.created, 2, assigned.log);
    assert.equal((await undo(await loadLastToken())).undone, 2);
    assert.deepEqual(await roles(), before);

    const views = () =>
      the.sql("SELECT key, value FROM kept_items WHERE kind = 'view' AND person_id IS NULL ORDER BY 1");
    await runImport(ada, "custom_views", 'Name,Definition\nOld,"{""list"":""requests"",""n"":1}"\n');
    const viewsBefore = await views();
    const text = 'Name,Definition\nOld,"{""list"":""requests"",""n"":2}"\nFresh,"{""list"":""tasks""}"\n';
    const changed = await runImport(ada, "custom_views", text);
    assert.deepEqual([changed.results.created, changed.results.updated], [1, 1], changed.log);
    const token = await loadLastToken();
    assert.equal((await undo(token)).undone, 2);
    assert.deepEqual(await views(), viewsBefore);
    // A view that was changed since stays.
    await runImport(ada, "custom_views", text);
    await the.sql(`UPDATE kept_items SET value = '{"list":"people"}' WHERE kind = 'view' AND key = 'Fresh'`);
    const later = await loadLastToken();
    assert.deepEqual(
      [(await undo(later)).undone, (await loadRows(later, "kept"))[0].errors],
      [1, [["base", "was changed since"]]],
    );
  });

  test("reverts email texts unless they were changed since", async () => {
    const words = async () =>
      (await the.sql("SELECT language, title, text FROM mail_wordings ORDER BY 1")).map(({ language, title, text }) =>
        [language, title, text].join(" "),
      );
    const file = (...rows: string[]) =>
      `Name,Language,Subject,Text\n${rows.map((row) => `completed,${row}\n`).join("")}`;
    await runImport(ada, "email_templates", file("en,done,{record} is done."));
    const before = await words();
    const text = file("en,over,{record} is over.", "de,fertig,{record} ist fertig.");
    const { results, log } = await runImport(ada, "email_templates", text);
    assert.deepEqual([results.created, results.updated], [1, 1], log);
    const token = await loadLastToken();
    assert.equal((await runImport(ada, "email_templates", text)).results.unchanged, 2);
    assert.equal((await undo(token)).undone, 2);
    assert.deepEqual(await words(), before);
    await runImport(ada, "email_templates", text);
    await the.sql("UPDATE mail_wordings SET title = 'by hand' WHERE language = 'de'");
    const later = await loadLastToken();
    assert.deepEqual(
      [(await undo(later)).undone, (await loadRows(later, "kept"))[0].errors],
      [1, [["base", "was changed since"]]],
    );
  });

  test("is available for the last import, once, and not for checks", async () => {
    await runImport(ada, "sites", "Name\nOnce\n");
    const earlier = await loadLastToken();
    await runImport(ada, "sites", "Name\nTwice\n");
    const answer = await ada.post(`/import/${earlier}/undo`);
    assert.deepEqual(
      [answer.status, answer.body.errors?.[0]?.message ?? answer.text.includes("not the last")],
      [422, true],
    );
    await undo(await loadLastToken());
    await undo(earlier);
    assert.equal((await ada.post(`/import/${earlier}/undo`)).status, 422);
    const checked = await check("sites", "Name\nThrice\n");
    assert.equal((await ada.post(`/import/${checked.token}/undo`)).status, 422);
    assert.equal((await ada.post("/import/nonsense/undo")).status, 404);
  });
});

test("IE21: a stopped import keeps the rows that it has saved and says so", async () => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  onSite = {
    name: "Stop 150",
    act: () => {
      reached.resolve();
      return gate.promise;
    },
  };
  const text = `Name\n${Array.from({ length: 900 }, (_, n) => `Stop ${n}`).join("\n")}\n`;
  const { token } = (await postImport(ada, "sites", text)).body;
  await reached.promise;
  onSite = null;
  const stopped = ada.delete(`/import/${token}`);
  await until(async () => (await the.sql(waitsForStop)).length > 0); // until the current batch is stored
  gate.resolve();
  assert.equal((await stopped).status, 200);
  const summary = await waitForEnd(token);
  assert.deepEqual([summary.state, summary.stopped, summary.message], ["error", true, "the import was stopped"]);
  const [found] = await the.sql<{ count: string }>("SELECT count(*) FROM sites WHERE name LIKE 'Stop %'");
  assert.equal(Number(found?.count), summary.results.created);
  assert.ok(summary.results.created < 900);
  assert.equal((await ada.delete(`/import/${token}`)).status, 422);
  await undo(token);
  assert.deepEqual(await the.sql("SELECT 1 FROM sites WHERE name LIKE 'Stop %'"), []);
});

test("IE23: only administrators list imports, exports and the columns of files", async () => {
  const types = (await ada.get("/import_types")).body.map(({ type }: { type: string }) => type);
  assert.ok(types.includes("people") && types.includes("people_roles"));
  const { columns } = (await ada.get("/import_types/cis")).body;
  const product = columns.find(({ name }: { name: string }) => name === "product");
  assert.deepEqual(
    [product.refers_to, product.by, Object.keys(product.labels)],
    ["products", ["name"], ["en", "nl", "de", "fr", "es"]],
  );
  assert.equal((await ada.get("/import_types/nonsense")).status, 404);
  const { token } = (await ada.post("/export", { type: "sites" })).body;
  await until(async () => (await ada.get(`/export/${token}`)).body.state === "done");
  const [newest] = (await ada.get("/export")).body;
  assert.deepEqual(
    [newest.token, newest.types, newest.state, newest.person.name],
    [token, ["sites"], "done", "Ada Admin"],
  );
  assert.equal((await fetch(newest.url)).status, 200);
  const last = await loadLastToken();
  for (const role of ["specialist", "requester"] as const)
    for (const path of [
      "/import",
      "/export",
      "/import_types",
      "/import_types/people",
      `/import/${last}/summary`,
      `/import/${last}/rows`,
    ])
      assert.equal((await the.as(role).get(path)).status, 403, `${role} ${path}`);
  const sam = the.as("specialist");
  assert.equal((await sam.post(`/import/${last}/undo`)).status, 403);
  assert.equal((await sam.post(`/import/${last}/again`, {})).status, 403);
  assert.equal((await sam.delete(`/import/${last}`)).status, 403);
});
