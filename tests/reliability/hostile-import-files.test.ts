import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { listExportTypes } from "../../server/exchange/exchange-types.ts";
import { emptyImportResult, postImport, runExport, runImport, unzip } from "../support/clients/import-and-export.ts";
import { allows, RequestBodies } from "../support/records/request-bodies.ts";
import type { Role } from "../support/seed.ts";
import { type Client, type World, world } from "../support/world.ts";

// Malicious or damaged files and calls: a clear error within limits, and no data of others.

let the: World;
let ada: Client;
beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
});

const megabytes = (count: number) => "x".repeat(count * 1_000_000);
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();

describe("an unreadable file ends in state error, with the reason", () => {
  for (const [what, file, error] of [
    ["UTF-16BE without a byte order mark", utf16be("Name\nX\n").subarray(2), /unknown columns/],
    [
      "a letter of Windows-1252 and UTF-8",
      Buffer.from("Name\nCaf\xe9\nCaf\xc3\xa9\n", "latin1"),
      /line 3: invalid byte/,
    ],
    [
      "UTF-8 and a letter of Windows-1252",
      Buffer.from("Name\nCaf\xc3\xa9\nCaf\xe9\n", "latin1"),
      /line 3: invalid byte/,
    ],
    ["a byte that is undefined", Buffer.from("Name\nCaf\xe9 \x81\n", "latin1"), /invalid byte sequence/],
    [
      "an incomplete character at the end",
      Buffer.from([...Buffer.from("Name\nX"), 0xe2, 0x82]),
      /invalid byte sequence/,
    ],
    ["half a surrogate pair", Buffer.from("\ufeffName\nX\ud83d\n", "utf16le"), /invalid byte sequence/],
    ["a workbook", Buffer.from([0x50, 0x4b, 3, 4, ...Buffer.alloc(500)]), /an archive or a workbook/],
    ["an image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), /invalid byte sequence/],
    ["nothing but blanks", "\n\r\n\n", /the file is empty/],
    ["a cell without a header", "Name,\nX,Y\n", /unknown columns: ""/],
    [
      "headers named like prototype members",
      "__proto__,constructor,toString\n1,2,3\n",
      /unknown columns: "__proto__", "constructor"/,
    ],
    ["a field's API name and its label", "name,Name\nX,Y\n", /twice/],
    ["thousands of columns", `${Array.from({ length: 5000 }, (_, n) => `c${n}`).join(",")}\n`, /more than 1000 cells/],
    ["a huge header", megabytes(10), /line 1: a cell is larger than 1 MiB/],
    ["a cell of 10 MB", `Name\n${megabytes(10)}\n`, /line 2: a cell is larger than 1 MiB/],
    ["a cell of 10 MB in quotes", `Name\n"${megabytes(10)}"\n`, /line 2: a cell is larger than 1 MiB/],
    ["unterminated quotes", `Name\nX\n"${"y\n".repeat(6_000_000)}`, /line 3: .*quotes.* do not end/],
    ["a quote inside quotes", 'Name\n"a"b"\n', /line 2: there is text behind/],
  ] as const)
    test(what, async () => {
      const { state, message, log } = await runImport(ada, "sites", file as string);
      assert.equal(state, "error");
      assert.match(message, error);
      assert.match(log, error);
    });

  test("only invalid rows", async () => {
    const { state, message, results } = await runImport(ada, "sites", `Name,Country\n${",XX\n".repeat(12_000)}`);
    assert.equal(state, "error");
    assert.match(message, /too many failures/);
    assert.ok(results.failures >= 10_000 && results.created === 0);
  });
});

describe("an invalid row is refused, and no other", () => {
  const tower = `${'{""a"":'.repeat(3000)}1${"}".repeat(3000)}`;
  const rows = [
    ["a NUL", "bad\u0000,n1@widget.example,,"],
    ["deeply nested braces", `Tower,n2@widget.example,"${tower}",`],
    [
      "thousands of custom fields",
      `Many,n3@widget.example,"{${Array.from({ length: 2000 }, (_, n) => `""f${n}"":1`).join(",")}}",`,
    ],
    ["a list instead of an object", 'List,n4@widget.example,"[1,2]",'],
    ["a member named __proto__", 'Proto,n5@widget.example,"{""__proto__"":{""admin"":true}}",'],
    ["a name that contains SQL", "Robert,n6@widget.example,,'; DROP TABLE people; --"],
    ["a huge name", `Long,n7@widget.example,,${"z".repeat(900_000)}`],
    ["another account's record", "Theirs,n8@widget.example,,Stranger Things @stranger"],
  ];
  test(rows.map(([what]) => what).join(", "), async () => {
    const file = `Name,Primary Email,Custom Fields,Organization\n${rows.map(([, row]) => row).join("\n")}\nGood,good@widget.example,,\n`;
    const { state, results, log } = await runImport(ada, "people", file);
    assert.equal(state, "done", log);
    assert.equal(results.errors, 0, log);
    const made = await the.sql<{ name: string }>(
      "SELECT name FROM people WHERE primary_email ~ '^(n\\d|good)@widget' AND account_id = 'widget-it' ORDER BY id",
    );
    assert.deepEqual(
      made.map(({ name }) => name),
      ["Proto", "Good"],
      log,
    );
    assert.equal(results.failures, rows.length - 1);
    for (const line of log.split("\n")) assert.ok(line.length < 2000);
  });
});

describe("calls", () => {
  const form = (parts: readonly (readonly [string, string | Blob])[]) => {
    const made = new FormData();
    for (const [name, value] of parts) made.append(name, value);
    return made;
  };
  const file = new Blob(["Name\nX\n"]);

  test("with incomplete, excessive or invalid forms are a 4xx", async () => {
    for (const parts of [
      [],
      [["file", file]],
      [["type", "people"]],
      [
        ["type", "people\u0000"],
        ["file", file],
      ],
      [
        ["type", "audit_lines"],
        ["file", file],
      ],
      [
        ["type", "webhooks"],
        ["file", file],
      ],
      [
        ["type", "__proto__"],
        ["file", file],
      ],
      Array.from({ length: 2000 }, (_, n) => [`f${n}`, "x"] as const),
    ] as const) {
      const { status, text } = await ada.post("/import", form(parts as never));
      assert.ok(status >= 400 && status < 500, `${status} ${text}`);
    }
    for (const [type, body] of [
      ["multipart/form-data", "nonsense"],
      ["multipart/form-data; boundary=x", "--x\r\n\r\n"],
      [
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nName',
      ],
      ["text/csv", "Name\nX\n"],
    ] as const) {
      const { status, text } = await ada.send("POST", "/import", body, { "Content-Type": type });
      assert.ok(status >= 400 && status < 500, `${type}: ${status} ${text}`);
    }
  });

  test("for invalid exports are a 422", async () => {
    for (const body of [
      { type: "people".repeat(1000) },
      { type: Array.from({ length: 20_000 }, () => "people,x").join(",") },
      { type: ["people", {}] },
      { type: { people: true } },
      { type: "webhooks" },
      { type: "tokens" },
      { type: "people", from: "20250230T25:00:00" },
      { type: "people", from: { $gt: 0 } },
      { type: "people", export_format: ["csv", "xlsx"] },
      { type: "people", export_format: "constructor" },
    ]) {
      const { status, text } = await ada.post("/export", body);
      assert.equal(status, 422, `${JSON.stringify(body).slice(0, 100)}: ${text.slice(0, 200)}`);
    }
  });

  test("for other accounts' tokens and files are a 404 or a 403", async () => {
    for (const token of ["x", "..%2f..%2fetc", "%00", "'%20OR%201=1", "a".repeat(5000)])
      for (const path of ["import", "export"])
        assert.ok([400, 404, 414].includes((await ada.get(`/${path}/${token}`)).status), token);
    const { state } = await runExport(ada, "sites");
    const address = new URL(state.url);
    const others = ["/exchange/", "/exchange/../attachments/x", "/exchange/%2e%2e/%2e%2e/etc/passwd"];
    for (const path of [...others, address.pathname.replace("widget-it", "stranger"), `${address.pathname}x`]) {
      const { status } = await fetch(`${address.origin}${path}${address.search}`);
      assert.ok(status === 403 || status === 404, `${path}: ${status}`);
    }
  });

  test("for many simultaneous imports wait for each other, and all of them end", async () => {
    const imports = await Promise.all(
      Array.from({ length: 20 }, (_, n) => postImport(ada, "sites", `Name\nCrowd ${n}\n`)),
    );
    const states = new Set<string>();
    for (const { body } of imports)
      for (;;) {
        const { body: state } = await ada.get(`/import/${body.token}`);
        states.add(state.state);
        if (state.state === "queued" || state.state === "processing") continue;
        assert.deepEqual(state.results, { ...emptyImportResult, created: 1 });
        break;
      }
    assert.deepEqual(
      [...states].filter((state) => state === "error"),
      [],
    );
  });
});

test("an export contains no data of an unrelated account, for any type", async () => {
  const { types } = the.service.engine;
  for (const role of ["administrator", "stranger"] as Role[]) {
    const bodies = new RequestBodies(the.as(role), types);
    for (const type of types.all)
      if (allows(types, type, "create")) await bodies.rich(type).catch(() => bodies.make(type));
  }
  // The stranger's records get a name that no other account uses.
  for (const type of types.all) {
    const column = type.columns.get(type.display);
    if (
      column === undefined ||
      type.storage.virtual ||
      type.routes.singleton ||
      type.fields[type.display]?.kind !== "string"
    )
      continue;
    const text = type.name === "person" ? "" : `, "${column}" = 'Leak ' || id`;
    await the.sql(`UPDATE ${type.table} SET account_id = account_id${text} WHERE account_id = 'stranger'`);
  }
  await the.sql("UPDATE people SET primary_email = 'leak' || id || '@stranger.example' WHERE account_id = 'stranger'");
  const words = listExportTypes(types).map(({ name: word }) => word);
  const foreignFiles = unzip((await runExport(the.as("stranger"), words.join(","))).bytes);
  assert.ok([...foreignFiles.values()].filter((bytes) => /leak/i.test(bytes.toString())).length > 30);
  // The format doesn't affect which rows a person gets, so each format is tested once.
  for (const [role, format] of [
    ["administrator", "csv"],
    ["directoryAdmin", "xlsx"],
  ] as [Role, string][]) {
    const files = unzip((await runExport(the.as(role), words.join(","), { export_format: format })).bytes);
    const sheets = [...files].flatMap(([name, bytes]) =>
      format === "csv" ? [[name, bytes]] : [[name, unzip(bytes).get("xl/worksheets/sheet1.xml") as Buffer]],
    ) as [string, Buffer][];
    const leaks = sheets.filter(([, bytes]) => /leak/i.test(bytes.toString())).map(([name]) => name);
    assert.deepEqual(leaks, [], `${role} ${format}`);
  }
});
