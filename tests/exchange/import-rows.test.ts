import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { Unavailable } from "../../server/base/errors.ts";
import { countEvents, emptyImportResult, postImport, runImport } from "../support/clients/import-and-export.ts";
import { type Client, type World, world } from "../support/world.ts";

// IE1 to IE13

let the: World;
let ada: Client;
let failOn: string | null = null;
beforeAll(async () => {
  the = await world({
    rules: {
      site: {
        afterSave({ after }) {
          if (failOn !== null && after.name === failOn) throw new Unavailable("the power went");
        },
      },
    },
  });
  ada = the.as("administrator");
});

const loadPeople = (where = "true") =>
  the.sql<Record<string, unknown>>(`SELECT * FROM people WHERE account_id = 'widget-it' AND ${where} ORDER BY id`);
const loadPerson = async (email: string) =>
  (await loadPeople(`primary_email = '${email}'`))[0] as Record<string, unknown>;

describe("a file", () => {
  test("in CSV creates records, with the declared defaults for fields without a column", async () => {
    const file =
      'Primary Email,Name,VIP,Time Zone,Organization,Information\nnew@widget.example,"Newman, Nora",1,London,Widget Sales @widget,"two\nlines ""quoted"""\n';
    const { state, results, log } = await runImport(ada, "people", file);
    assert.deepEqual([state, results], ["done", { ...emptyImportResult, created: 1 }], log);
    const nora = await loadPerson("new@widget.example");
    assert.deepEqual(
      [nora.name, nora.vip, nora.time_zone, nora.organization_id, nora.information, nora.locale],
      ["Newman, Nora", true, "London", 3, 'two\nlines "quoted"', "en-US"],
    );
  });

  test("IE5: with tabs, carriage returns and a byte order mark is read like any other", async () => {
    const { results } = await runImport(
      ada,
      "people",
      "\ufeffprimary email\tNAME\r\ntab@widget.example\tTab, Tina\r\n\r\n",
    );
    assert.deepEqual(results, { ...emptyImportResult, created: 1 });
    assert.equal((await loadPerson("tab@widget.example")).name, "Tab, Tina");
  });

  test("IE5: in UTF-16LE is read, with and without a byte order mark", async () => {
    for (const [mark, email] of [
      ["\ufeff", "wide@widget.example"],
      ["", "wider@widget.example"],
    ]) {
      const file = Buffer.from(`${mark}Primary Email,Name\n${email},Žofie 😀\n`, "utf16le");
      assert.deepEqual((await runImport(ada, "people", file)).results, { ...emptyImportResult, created: 1 });
      assert.equal((await loadPerson(email as string)).name, "Žofie 😀");
    }
  });

  test("IE5: is read as spreadsheets in other languages save it: with semicolons, in Windows-1252", async () => {
    const rows = 'Primary Email;Name;Job Title\r\nsemi@widget.example;Jörg Weiß;"Leiter; Technik"\r\n';
    const first = await runImport(ada, "people", Buffer.from(rows, "latin1"));
    assert.deepEqual(first.results, { ...emptyImportResult, created: 1 }, first.log);
    const { name, job_title } = await loadPerson("semi@widget.example");
    assert.deepEqual([name, job_title], ["Jörg Weiß", "Leiter; Technik"]);
    const again = await runImport(ada, "people", `\ufeffsep=;\r\n${rows}`);
    assert.deepEqual(again.results, { ...emptyImportResult, unchanged: 1 }, again.log);
  });

  test("IE6: may name its columns in any language, or by their API names", async () => {
    const { results, message } = await runImport(ada, "sites", "name,time_zone,Bron,Bron-ID\nThe Hague,Amsterdam,,\n");
    assert.deepEqual([results, message], [{ ...emptyImportResult, created: 1 }, undefined]);
  });

  for (const [what, file, error] of [
    ["with an unknown column", "Name,Colour of Hair\nX,red\n", /unknown columns: "Colour of Hair"/],
    ["with a column twice", "Name,Primary Email,NAME\nX,x@x.example,Y\n", /twice: "Name", "NAME"/],
    ["that is empty", "", /empty/],
    [
      "with unterminated quotes",
      'Name,Primary Email\n"never ends,x@x.example\n',
      /line 2: the quotes of a cell do not end/,
    ],
    ["with text behind quotes", 'Name,Primary Email\n"X"y,x@x.example\n', /line 2: there is text behind/],
    [
      "in an unknown encoding",
      Buffer.from([0x4e, 0x61, 0x6d, 0x65, 0x0a, 0xff, 0x81, 0x0a]),
      /line 2: invalid byte sequence/,
    ],
    [
      "with a huge cell",
      `Name,Primary Email\n"${"x".repeat(3_000_000)}",x@x.example\n`,
      /line 2: a cell is larger than 1 MiB/,
    ],
  ] as const)
    test(`${what} returns a clear error`, async () => {
      const { state, message, results, log } = await runImport(ada, "people", file as string);
      assert.deepEqual([state, results], ["error", emptyImportResult]);
      assert.match(message, error);
      assert.match(log, error);
    });

  // IE2
  for (const [what, wrong, error] of [
    ["an invalid byte", Buffer.from([0xff, 0x0a]), /line 302: invalid byte sequence/],
    ["text behind quotes", Buffer.from('"x"y\n'), /line 302: there is text behind/],
    ["unterminated quotes", Buffer.from('"x\n'), /line 302: the quotes of a cell do not end/],
    ["a huge cell", Buffer.alloc(3_000_000, "x"), /line 302: a cell is larger/],
  ] as const)
    test(`IE2: rows before the abort stay imported: ${what}`, async () => {
      const names = Array.from({ length: 300 }, (_, n) => `Before ${what} ${n} ${"é".repeat(n % 40)}`);
      const file = Buffer.concat([Buffer.from(`Name\n${names.join("\n")}\n`), wrong, Buffer.from("\nAfter\n")]);
      const { state, message, results } = await runImport(ada, "sites", file);
      assert.deepEqual([state, results], ["error", { ...emptyImportResult, created: 300 }]);
      assert.match(message, error);
      const sites = await the.sql<{ name: string }>("SELECT name FROM sites WHERE name LIKE $1 ORDER BY id", [
        `Before ${what} %`,
      ]);
      assert.deepEqual(
        sites.map(({ name }) => name),
        names,
      );
      assert.deepEqual(await the.sql("SELECT 1 FROM sites WHERE name = 'After'"), []);
    });
});

describe("a row", () => {
  test("is refused with the API's messages, and the others are saved", async () => {
    const file = [
      "Name,Primary Email,Manager,Organization,Time Zone",
      "Good,good@widget.example,mia@widget.example,,",
      "Bad,nonsense,,,Nowhere",
      "Worse,worse@widget.example,nobody@widget.example,,",
      ",blank@widget.example,,,",
      "Short,short@widget.example",
      `${"x".repeat(129)},long@widget.example,,,`,
      "Later,later@widget.example,good@widget.example,,",
    ].join("\n");
    const { state, results, log } = await runImport(ada, "people", file);
    assert.deepEqual([state, results], ["done", { ...emptyImportResult, created: 2, failures: 5 }], log);
    assert.deepEqual(log.trim().split("\n").slice(1), [
      "3: Primary email is not a valid e-mail address; Time zone is not a valid time zone",
      "4: Manager is not valid",
      "5: Name can't be blank",
      "6: the row has 2 cells, the header 5",
      "7: Name is too long (maximum is 128 characters)",
    ]);
    assert.equal((await loadPerson("later@widget.example")).manager_id, (await loadPerson("good@widget.example")).id);
  });

  test("IE10: finds its record by ID, by source, by email address, in this order", async () => {
    const make = "Source,Source ID,Name,Primary Email,Job Title\nHR,7,Match,match@widget.example,Clerk\n";
    await runImport(ada, "people", make);
    const { id } = await loadPerson("match@widget.example");
    const again = await runImport(ada, "people", make);
    assert.deepEqual(again.results, { ...emptyImportResult, unchanged: 1 });
    const bySource = await runImport(ada, "people", "Source,Source ID,Name\nHR,7,Matched\n");
    assert.deepEqual(bySource.results, { ...emptyImportResult, updated: 1 });
    const byId = await runImport(ada, "people", `ID,Name\n${id},By id\n999999,Nobody\n1x,Nobody\n`);
    assert.deepEqual(byId.results, { ...emptyImportResult, updated: 1, failures: 2 });
    assert.match(byId.log, /3: ID is not valid/);
    const byMail = await runImport(
      ada,
      "people",
      "Primary Email,Source,Source ID,Name\nMATCH@widget.example,,,By mail\n",
    );
    assert.deepEqual(byMail.results, { ...emptyImportResult, updated: 1 });
    const matched = await loadPerson("MATCH@widget.example");
    assert.deepEqual(
      [matched.id, matched.name, matched.source, matched.sourceID, matched.job_title],
      [id, "By mail", null, null, "Clerk"],
    );
  });

  test("clears the fields of empty cells and leaves fields without a column unchanged", async () => {
    await runImport(ada, "people", "Primary Email,Name,Job Title,Location\nempty@widget.example,Empty,Clerk,Here\n");
    await runImport(ada, "people", "Primary Email,Job Title\nempty@widget.example,\n");
    const it = await loadPerson("empty@widget.example");
    assert.deepEqual([it.job_title, it.location, it.name], [null, "Here", "Empty"]);
  });

  test("IE11: is refused if a reference matches several records", async () => {
    await runImport(ada, "sites", "Name\nTwin\nTwin\n");
    const { results, log } = await runImport(ada, "people", "Name,Primary Email,Site\nTom,tom@widget.example,Twin\n");
    assert.deepEqual(results, { ...emptyImportResult, failures: 1 });
    assert.match(log, /2: Site matches several records/);
  });

  test("can't refer to other accounts", async () => {
    const file = "ID,Name\n7,Taken over\n2,Taken over\n";
    assert.deepEqual((await runImport(ada, "people", file)).results, { ...emptyImportResult, failures: 2 });
    const refer =
      "Name,Primary Email,Organization\nX,x1@widget.example,Stranger Things\nX,x2@widget.example,Stranger Things @stranger\n";
    const { log, results } = await runImport(ada, "people", refer);
    assert.deepEqual(results, { ...emptyImportResult, failures: 2 });
    assert.match(log, /2: Organization is not valid\n3: Organization is not valid/);
    assert.equal((await the.sql("SELECT 1 FROM people WHERE name = 'Taken over'")).length, 0);
  });

  test("IE16: loses the tab that escapes a formula", async () => {
    await runImport(ada, "people", 'Primary Email,Name\nformula@widget.example,"\t=1+1"\n');
    assert.equal((await loadPerson("formula@widget.example")).name, "=1+1");
  });

  test("IE9: contains custom fields as JSON", async () => {
    const { results } = await runImport(
      ada,
      "people",
      'Primary Email,Name,Custom Fields\nc@widget.example,C,"{""a"":[1]}"\nd@widget.example,D,{oops\n',
    );
    assert.deepEqual(results, { ...emptyImportResult, created: 1, failures: 1 });
    assert.deepEqual((await loadPerson("c@widget.example")).custom_fields, { a: [1] });
  });

  test("of a child record names its owner", async () => {
    const file = "Person,Label,Telephone\nsam@widget.example,work,+31 20 1\nnobody@widget.example,work,1\n,work,2\n";
    const { results, log } = await runImport(ada, "people_contact_details", file);
    assert.deepEqual(results, { ...emptyImportResult, created: 1, failures: 2 }, log);
    const again = await runImport(
      ada,
      "people_contact_details",
      "Person,Label,Telephone\nsam@widget.example,work,+31 20 2\n",
    );
    assert.deepEqual(again.results, { ...emptyImportResult, updated: 1 }, again.log);
  });
});

describe("events", () => {
  test("IE4: are those of any bulk creation, unless the import suppresses them", async () => {
    const before = await countEvents(the, "person.create");
    await runImport(ada, "people", "Primary Email,Name\ne1@widget.example,E\n");
    assert.equal(await countEvents(the, "person.create"), before + 1);
    await runImport(ada, "people", "Primary Email,Name\ne2@widget.example,E\n", { suppress_events: "true" });
    assert.equal(await countEvents(the, "person.create"), before + 1);
    const { id } = await loadPerson("e2@widget.example");
    assert.equal(
      (await the.sql("SELECT 1 FROM audit_lines WHERE audited = 'person' AND record_id = $1", [id])).length,
      1,
    );
  });
});

describe("the calls", () => {
  test("are for administrators and only return the account's own imports", async () => {
    assert.equal((await postImport(the.as("specialist"), "people", "Name\n")).status, 403);
    assert.equal((await postImport(the.nobody, "people", "Name\n")).status, 401);
    const { body } = await postImport(ada, "sites", "Name\nA site\n");
    assert.match(body.token, /^[0-9a-f]{32}$/);
    assert.equal((await the.as("stranger").get(`/import/${body.token}`)).status, 404);
    assert.equal((await the.as("auditor").get(`/import/${body.token}`)).status, 403);
    assert.equal((await ada.get("/import/nonsense")).status, 404);
  });

  test("refuse unknown types, and forms without a file", async () => {
    assert.equal((await postImport(ada, "persons", "Name\n")).status, 422);
    assert.equal((await postImport(ada, "", "Name\n")).status, 422);
    const form = new FormData();
    form.set("type", "people");
    assert.equal((await ada.post("/import", form)).status, 422);
    assert.equal((await ada.post("/import", { type: "people" })).status, 422);
  });

  test("IE1, IE3: return an import for five minutes after its end, and its log for two days", async () => {
    const { body } = await postImport(ada, "sites", "Name\nSome site\n,\n");
    const done = await ada.get(`/import/${body.token}`);
    assert.equal(done.body.state, "done");
    await the.clock.pass(299);
    assert.equal((await ada.get(`/import/${body.token}`)).status, 200);
    await the.clock.pass(2);
    assert.equal((await ada.get(`/import/${body.token}`)).status, 404);
    await the.clock.pass(172_000);
    assert.equal((await fetch(done.body.logfile)).status, 200);
    assert.equal((await fetch(done.body.logfile.replace(/signature=./, "signature=0f"))).status, 403);
    await the.clock.pass(1000);
    assert.equal((await fetch(done.body.logfile)).status, 403);
  });

  test("IE3: send an email at the end", async () => {
    await runImport(ada, "sites", "Name\nMail site\n");
    const [mail] = await the.sql<{ body: string }>(
      "SELECT body FROM mails WHERE recipient = 'ada@widget.example' AND subject = 'Your import of sites is done' ORDER BY id DESC LIMIT 1",
    );
    assert.match(mail?.body ?? "", /created: 1/);
  });
});

describe("a crash", () => {
  test("IE13: neither loses nor repeats a row", async () => {
    const names = Array.from({ length: 1500 }, (_, index) => `Crash ${index}`);
    failOn = "Crash 1337";
    const { body } = await postImport(ada, "sites", `Name\n${names.join("\n")}\n`);
    const failed = () =>
      the.sql("SELECT 1 FROM jobs WHERE kind = 'import' AND key = $1 AND last_error = 'the power went'", [body.token]);
    while ((await failed()).length === 0) await ada.get("/rate_limit");
    const { body: stopped } = await ada.get(`/import/${body.token}`);
    assert.equal(stopped.state, "processing");
    // The batch with the crash was rolled back. The row is in line 1339, and the previous batch may end right before it.
    assert.ok(stopped.line > 1 && stopped.line < 1339, String(stopped.line));
    const count = async () =>
      Number((await the.sql<{ count: string }>("SELECT count(*) FROM sites WHERE name LIKE 'Crash %'"))[0]?.count);
    assert.equal(await count(), stopped.line - 1);
    failOn = null;
    await the.clock.pass(60);
    const { body: state } = await ada.get(`/import/${body.token}`);
    assert.deepEqual([state.state, state.results], ["done", { ...emptyImportResult, created: 1500 }]);
    const saved = await the.sql<{ name: string }>("SELECT name FROM sites WHERE name LIKE 'Crash %' ORDER BY id");
    assert.deepEqual(
      saved.map(({ name }) => name),
      names,
    );
  });

  test("from which two workers recover at the same time has the same result, and imports wait for each other", async () => {
    const file = `Name\n${Array.from({ length: 300 }, (_, index) => `Race ${index}`).join("\n")}\n`;
    const [one, two] = await Promise.all([
      postImport(ada, "sites", file),
      postImport(ada, "sites", file.replaceAll("Race", "Ride")),
    ]);
    await the.sql("UPDATE jobs SET leased_until = NULL WHERE kind = 'import'"); // as if the lease had run out
    for (const { body } of [one, two])
      for (let tries = 0; tries < 20; tries++) {
        const { body: state } = await ada.get(`/import/${body.token}`);
        if (state.state !== "done") continue;
        assert.deepEqual(state.results, { ...emptyImportResult, created: 300 });
        break;
      }
    const [row] = await the.sql<{ count: string }>(
      "SELECT count(*) FROM sites WHERE name LIKE 'Race %' OR name LIKE 'Ride %'",
    );
    assert.equal(Number(row?.count), 600);
  });
});
