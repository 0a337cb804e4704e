import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { findExportType, findImportType } from "../../server/exchange/exchange-types.ts";
import { getNaturalKeyFields } from "../../server/exchange/natural-keys.ts";
import { hashToken } from "../../server/oauth/tokens.ts";
import {
  countEvents,
  emptyImportResult,
  exportAsTable,
  postImport,
  runImport,
} from "../support/clients/import-and-export.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { tokenFor } from "../support/seed.ts";
import { type Client, type World, world } from "../support/world.ts";

// IE1 to IE19, as far as a file alone shows them.

let the: World;
let ada: Client;
let bodies: RequestBodies;
beforeAll(async () => {
  the = await world({
    rules: {
      site: {
        afterSave({ after }) {
          if (after.name === "Breaks") throw new Error("a mistake of ours");
        },
      },
    },
  });
  ada = the.as("administrator");
  bodies = new RequestBodies(ada, the.service.engine.types);
});

const create = (type: string, members: Record<string, unknown> = {}) =>
  bodies.make(the.service.engine.types.get(type), members);
const loadPerson = async (email: string) =>
  (await the.sql<Record<string, unknown>>("SELECT * FROM people WHERE primary_email = $1", [email]))[0] ?? {};
const importAndExpect = async (type: string, file: string, expected: Partial<typeof emptyImportResult>) => {
  const { state, results, log, message } = await runImport(ada, type, file);
  assert.deepEqual([state, results], ["done", { ...emptyImportResult, ...expected }], message ?? log);
  return log.trim().split("\n").slice(1) as string[];
};

describe("calls", () => {
  const withScopes = async (...actions: string[]) => {
    const letters = `exchange-${actions.join("-").replace(/\W/g, "")}`;
    await the.sql(
      "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', 1, 'personal', $1, $2, $3, now())",
      [letters, hashToken(tokenFor(letters)), JSON.stringify([{ effect: "allow", actions, accounts: [] }])],
    );
    return the.withToken(tokenFor(letters), { account: "widget-it" });
  };

  test("IE1: role: account_administrator of the account in the account header", async () => {
    assert.equal(
      (await postImport(the.as("administrator", { account: "widget-hr" }), "sites", "Name\nX\n")).status,
      403,
    );
    assert.equal((await postImport(the.as("stranger"), "sites", "Name\nTheirs\n")).status, 200);
    assert.equal((await ada.post("/export", { type: "sites" }, { account: "widget-hr" })).status, 403);
  });

  test("scopes import:Create, import:Read, export:Create and export:Read", async () => {
    const { body: started } = await postImport(ada, "sites", "Name\nScoped\n");
    const { body: ordered } = await ada.post("/export", { type: "sites" });
    for (const kind of ["import", "export"] as const) {
      const [creates, reads] = [await withScopes(`${kind}:Create`), await withScopes(`${kind}:Read`)];
      const begin = (by: Client) =>
        kind === "import" ? postImport(by, "sites", "Name\nScoped\n") : by.post("/export", { type: "sites" });
      const readState = (by: Client) => by.get(`/${kind}/${kind === "import" ? started.token : ordered.token}`);
      assert.deepEqual([(await begin(creates)).status, (await readState(creates)).status], [200, 403], kind);
      assert.deepEqual([(await begin(reads)).status, (await readState(reads)).status], [403, 200], kind);
    }
  });

  test("IE2: failures = rows rejected by validation; errors = rows that raised an error; state is done even so", async () => {
    const log = await importAndExpect("sites", 'Name\nGood\n"",\nBreaks\nBetter\n'.replace('"",', '""\n,'), {
      ...{ created: 2, failures: 1, errors: 1 },
    });
    assert.deepEqual(log, ["4: the row has 2 cells, the header 1", "5: the row failed for a reason of ours"]);
  });

  test("queued, then done: a waiting import returns only its state", async () => {
    await the.sql(
      "INSERT INTO imports (account_id, token, person_id, type, file, size, suppress_events, language, source, state, created_at) VALUES ('stranger', 'waits', 7, 'sites', 'x', 1, false, 'en', '', 'queued', now())",
    );
    assert.deepEqual((await the.as("stranger").get("/import/waits")).body, { state: "queued" });
    await the.sql("DELETE FROM imports WHERE token = 'waits'");
  });
});

describe("file rules", () => {
  test("IE6: missing column: new record gets the default; existing record keeps its value", async () => {
    await importAndExpect("people", "Name,Primary Email\nNew,default@widget.example\n", { created: 1 });
    assert.equal((await loadPerson("default@widget.example")).locale, "en-US");
    await ada.patch(`/people/${(await loadPerson("default@widget.example")).id}`, { locale: "nl", job_title: "Clerk" });
    await importAndExpect("people", "Name,Primary Email\nNewer,default@widget.example\n", { updated: 1 });
    const { name, locale, job_title } = await loadPerson("default@widget.example");
    assert.deepEqual([name, locale, job_title], ["Newer", "nl", "Clerk"]);
  });

  test("IE6: an empty cell clears the field, also a source and also for a new record", async () => {
    const file = "Name,Primary Email,Source,Source ID,Manager,Job Title\nEmpty,cleared@widget.example,,,,\n";
    await importAndExpect("people", file, { created: 1 });
    assert.equal((await loadPerson("cleared@widget.example")).source, null);
    await importAndExpect("people", file, { unchanged: 1 });
    await ada.patch(`/people/${(await loadPerson("cleared@widget.example")).id}`, {
      ...{ manager_id: 9, job_title: "Clerk", source: "HR", sourceID: "1" },
    });
    await importAndExpect("people", file, { updated: 1 });
    const { manager_id, job_title, source, sourceID } = await loadPerson("cleared@widget.example");
    assert.deepEqual([manager_id, job_title, source, sourceID], [null, null, null, null]);
  });

  test("value formats of the API: any word for booleans, decimals with a dot, time zones by either name", async () => {
    const log = await importAndExpect(
      "people",
      [
        "Name,Primary Email,VIP,Cost Per Hour,Time Zone",
        "A,v1@widget.example,true,12.5,Europe/Paris",
        "B,v2@widget.example,YES,12,London",
        "C,v3@widget.example,0,,",
        'D,v4@widget.example,1,"12,5",',
      ].join("\n"),
      { created: 3, failures: 1 },
    );
    assert.deepEqual(log, ["5: Cost per hour is not a number"]);
    const rows = (await exportAsTable(ada, "people")).filter((row) => /^v\d@/.test(row["Primary Email"] as string));
    assert.deepEqual(
      rows.map((row) => [row.VIP, row["Cost Per Hour"], row["Time Zone"]]),
      [
        ["1", "12.5", "Paris"],
        ["1", "12", "London"],
        ["0", "", "Amsterdam"],
      ],
    );
  });

  describe("IE7: several references in one cell: one per line inside a quoted cell", () => {
    const cell = (...lines: string[]) => `"${lines.join("\n")}"`;
    const loadMembers = async (team: string) =>
      (await exportAsTable(ada, "teams")).find(({ Name }) => Name === team)?.Members?.split("\n");
    const [mia, sam, rita] = ["mia@widget.example", "sam@widget.example", "rita@widget.example @widget"];

    test("a new and an existing record: references that are no longer listed are unlinked", async () => {
      const make = `Name,Source,Source ID,Members\nField,HR,T1,${cell(sam, mia)}\nEmpty,HR,T2,\n`;
      await importAndExpect("teams", make, { created: 2 });
      assert.deepEqual([await loadMembers("Field"), await loadMembers("Empty")], [[sam, mia], [""]]);
      await importAndExpect("teams", make, { unchanged: 2 });
      const other = `Source,Source ID,Members\nHR,T1,${cell("MIA@widget.example", sam)}\n`;
      await importAndExpect("teams", other, { unchanged: 1 });
      await importAndExpect("teams", `Source,Source ID,Members\nHR,T1,${cell(rita, sam)}\nHR,T2,${mia}\n`, {
        updated: 2,
      });
      assert.deepEqual([await loadMembers("Field"), await loadMembers("Empty")], [[sam, rita], [mia]]);
      await importAndExpect("teams", "Source,Source ID,Name\nHR,T1,Field\n", { unchanged: 1 });
      await importAndExpect("teams", "Source,Source ID,Members\nHR,T1,\n", { updated: 1 });
      assert.deepEqual(await loadMembers("Field"), [""]);
    });

    test("a row with an unknown reference is refused, and nothing of the row is saved", async () => {
      const wrong = ["nobody@widget.example", "stella@stranger.example", "stella@stranger.example @stranger"];
      const rows = wrong.map((email, n) => `Wrong ${n},${cell(sam, email)}`);
      const log = await importAndExpect("teams", `Name,Members\n${rows.join("\n")}\nRight,${sam}\n`, {
        created: 1,
        failures: 3,
      });
      assert.deepEqual(
        log,
        [2, 4, 6].map((line) => `${line}: Members is not valid`),
      );
      assert.deepEqual(await the.sql("SELECT 1 FROM teams WHERE name LIKE 'Wrong %'"), []);
    });

    test("a field may refer to a record that the same row links", async () => {
      const file = (name: string, who: string) =>
        `Name,Source,Source ID,Members,Coordinator,Manager\n${name},HR,T9,${who},${mia}\n`;
      await importAndExpect("teams", file("Led", `${cell(sam, mia)},${sam}`), { created: 1 });
      const [row] = (await exportAsTable(ada, "teams")).filter(({ Name }) => Name === "Led");
      assert.deepEqual([row?.Coordinator, row?.Manager], [sam, mia]);
      await importAndExpect("teams", file("Led", `${cell(rita)},${rita}`), { updated: 1 });
      assert.deepEqual(await loadMembers("Led"), [rita]);
      assert.deepEqual(await importAndExpect("teams", file("Led", `${cell(rita)},${sam}`), { failures: 1 }), [
        "2: Coordinator must be a member of the team",
      ]);
    });

    test("linking writes an audit line and an event, as in the API", async () => {
      const before = await countEvents(the, "team.update");
      await importAndExpect("teams", `Name,Members\nTold,${cell(sam, mia)}\n`, { created: 1 });
      assert.equal(await countEvents(the, "team.update"), before + 2);
    });

    test("links that are valid in some states only are refused in others", async () => {
      await create("sla", { coverage: "organizations" });
      const [row] = (await exportAsTable(ada, "slas")).slice(-1);
      const give = (column: string, name: string) => `ID,${column}\n${row?.ID},${name}\n`;
      await importAndExpect("slas", give("Organizations", "Printer Supplier"), { updated: 1 });
      assert.deepEqual(await importAndExpect("slas", give("People", sam), { failures: 1 }), [
        "2: Coverage is not valid",
      ]);
      assert.equal((await exportAsTable(ada, "slas")).at(-1)?.Organizations, "Printer Supplier");
    });

    test("a linked record of an unrelated account is neither shown nor changed", async () => {
      const { id } = await create("problem");
      const foreign = await new RequestBodies(the.as("stranger"), the.service.engine.types).make(
        the.service.engine.types.get("service_instance"),
      );
      await the.sql(
        "INSERT INTO problem_service_instances (account_id, problem_id, service_instance_id) VALUES ('widget-it', $1, $2)",
        [id, foreign.id],
      );
      const ours = await create("service_instance");
      const { name } = (await ada.get(`/service_instances/${ours.id}`)).body;
      const load = async () =>
        (await exportAsTable(ada, "problems")).find((row) => row.ID === String(id))?.["Service Instances"];
      assert.equal(await load(), "");
      await importAndExpect("problems", `ID,Service Instances\n${id},${name}\n`, { updated: 1 });
      assert.equal(await load(), name);
      const links = await the.sql("SELECT 1 FROM problem_service_instances WHERE problem_id = $1", [id]);
      assert.equal(links.length, 2);
    });

    test("a linked record may share its name with others", async () => {
      await importAndExpect("sites", "Name\nTwin\nTwin\nSingle\n", { created: 3 });
      const { id } = await create("sla", { coverage: "sites" });
      const sites = await the.sql<{ id: number }>("SELECT id FROM sites WHERE name = 'Twin' ORDER BY id");
      const give = (...names: string[]) => `ID,Sites\n${id},${cell(...names)}\n`;
      assert.deepEqual(await importAndExpect("slas", give("Twin"), { failures: 1 }), [
        "2: Sites matches several records",
      ]);
      assert.equal((await ada.post(`/slas/${id}/sites/${sites[1]?.id}`)).status, 200);
      await importAndExpect("slas", give("Single", "Twin"), { updated: 1 });
      const linked = (await ada.get(`/slas/${id}/sites`)).body.map((site: { name: string }) => site.name);
      assert.deepEqual(linked.sort(), ["Single", "Twin"]);
    });
  });

  test("IE8: columns Created At and Updated At appear in exports; ignored on import", async () => {
    const row = (await exportAsTable(ada, "people"))[0] as Record<string, string>;
    assert.ok("Created At" in row && "Updated At" in row);
    const file = `ID,Name,Created At,Updated At\n${row.ID},${row.Name},2001-01-01T00:00:00Z,nonsense\n`;
    await importAndExpect("people", file, { unchanged: 1 });
  });

  test("IE9: custom fields that the cell doesn't name keep their value", async () => {
    const file = (json: string) =>
      `Name,Primary Email,Custom Fields\nCustom,custom@widget.example,"${json.replaceAll('"', '""')}"\n`;
    await importAndExpect("people", file('{"a": 1, "b": 2}'), { created: 1 });
    await importAndExpect("people", file('{"b": 2, "a": 1}'), { unchanged: 1 });
    await importAndExpect("people", file('{"b": 3}'), { updated: 1 });
    assert.deepEqual((await loadPerson("custom@widget.example")).custom_fields, { a: 1, b: 3 });
  });
});

describe("create or update", () => {
  test("an archived record isn't found, neither by its ID nor by its source", async () => {
    await importAndExpect(
      "people",
      "Name,Primary Email,Source,Source ID,Disabled\nGone,gone@widget.example,HR,G1,1\n",
      {
        created: 1,
      },
    );
    const { id } = await loadPerson("gone@widget.example");
    assert.equal((await ada.post(`/people/${id}/archive`)).status, 200);
    assert.deepEqual(await importAndExpect("people", `ID,Name\n${id},Back\n`, { failures: 1 }), ["2: ID is not valid"]);
    await importAndExpect("people", "Name,Primary Email,Source,Source ID\nAnother,another@widget.example,HR,G1\n", {
      created: 1,
    });
    assert.equal((await loadPerson("gone@widget.example")).name, "Gone");
  });

  test("a disabled record is found and stays disabled", async () => {
    await importAndExpect("people", "Name,Primary Email,Disabled\nIdle,idle@widget.example,1\n", { created: 1 });
    await importAndExpect("people", "Name,Primary Email\nIdler,idle@widget.example\n", { updated: 1 });
    const { name, disabled } = await loadPerson("idle@widget.example");
    assert.deepEqual([name, disabled], ["Idler", true]);
    const log = await importAndExpect(
      "people",
      "Name,Primary Email,Manager\nU,u@widget.example,idle@widget.example\n",
      {
        failures: 1,
      },
    );
    assert.deepEqual(log, ["2: Manager is not valid"]);
  });

  test("organizations_contact_details by Organization (name)", async () => {
    const file = (number: string) => `Organization,Label,Telephone\nPrinter Supplier,general,${number}\n`;
    await importAndExpect("organizations_contact_details", file("+31 1"), { created: 1 });
    await importAndExpect("organizations_contact_details", file("+31 1"), { unchanged: 1 });
    await importAndExpect("organizations_contact_details", file("+31 2"), { updated: 1 });
  });

  test("fields that only the state machine sets are ignored, and the state rules apply", async () => {
    const { id } = await create("request");
    const file = (status: string) => `ID,Status,Completed At,Reopen Count\n${id},${status},2001-01-01T00:00:00Z,99\n`;
    const log = await importAndExpect("requests", file("nonsense"), { failures: 1 });
    assert.deepEqual(log, ["2: Status is not included in the list"]);
    await importAndExpect("requests", file("in_progress"), { updated: 1 });
    const [row] = await the.sql("SELECT completed_at, reopen_count FROM requests WHERE id = $1", [id]);
    assert.deepEqual(row, { completed_at: null, reopen_count: 0 });
  });
});

describe("reference lookup", () => {
  // biome-ignore format: a table keeps its columns
  const table: [types: string[], by: string[]][] = [
    [["calendar", "holiday", "site", "organization", "team", "skill_pool", "service", "service_category", "service_instance", "service_offering", "sla", "sla_notification_scheme", "flsa", "product", "contract", "pdf_design", "scrum_workspace", "waiting_for_customer_follow_up"], ["name"]],
    [["project_task_template", "project_template"], ["subject"]],
    [["person"], ["primary_email"]],
    [["ci"], ["name", "label"]],
    [["product_category", "custom_collection"], ["reference"]],
    [["request", "request_template", "problem", "release", "workflow", "task", "workflow_template", "task_template", "project", "project_task", "project_task_assignment", "risk"], []],
  ];
  test("IE11: every record type is identified by the fields in the table", () => {
    for (const [types, by] of table)
      for (const type of types) assert.deepEqual(getNaturalKeyFields(the.service.engine.types.get(type)), by, type);
  });

  test("software configuration item: name; other configuration item: label; product category: reference", async () => {
    await importAndExpect(
      "product_categories",
      "Group,Name,Rule Set\nThings,Boxes,physical_asset\nThings,Progs,software\n",
      {
        created: 2,
      },
    );
    await importAndExpect(
      "products",
      "Name,Brand,Model,Category,Support Team\nBox,Acme,M1,things/boxes,Networks\nProg,Acme,M3,things/progs,Networks\n",
      { created: 2 },
    );
    await importAndExpect(
      "cis",
      "Label,Name,Product,Status\nBOX1,Box one,Box,in_production\nPRG1,Prog one,Prog,in_production\n",
      {
        created: 2,
      },
    );
    const [box, prog] = await the.sql<{ id: number }>(
      "SELECT id FROM cis WHERE label IN ('BOX1', 'PRG1') ORDER BY label",
    );
    const { id } = await create("problem");
    const log = await importAndExpect(
      "problems",
      `ID,Cis\n${id},"BOX1\nProg one"\n${id},Box one\n${id},PRG1\n${id},box1\n`,
      {
        updated: 1,
        failures: 3,
      },
    );
    assert.equal(log.length, 3);
    const linked = (await ada.get(`/problems/${id}/cis`)).body.map((ci: { id: number }) => ci.id);
    assert.deepEqual(linked.sort(), [box?.id, prog?.id]);
  });

  test("request: id; a record must exist", async () => {
    const { id } = await create("problem");
    const file = `Subject,Category,Problem\nKnown,other,${id}\nUnknown,other,99999\nNamed,other,A problem\n`;
    assert.deepEqual(await importAndExpect("requests", file, { created: 1, failures: 2 }), [
      "3: Problem is not valid",
      "4: Problem is not valid",
    ]);
  });
});

describe("types", () => {
  const splitList = (text: string) => text.split(", ");
  const imports = splitList(
    "calendars, cis, ci_relations, closure_codes, contracts, custom_collections, custom_collection_elements, first_line_support_agreements, holidays, invoices, knowledge_articles, notes, organizations, organizations_contact_details, out_of_office_periods, pdf_designs, people, people_contact_details, problems, product_categories, products, projects, project_categories, project_tasks, project_task_assignments, project_task_templates, project_task_template_assignments, project_templates, releases, requests, request_templates, rfc_types, risks, risk_severities, scrum_workspaces, services, service_categories, service_instances, service_offerings, service_offering_rfc_type_activity_rates, shop_articles, shop_article_categories, shop_order_lines, short_urls, sites, skill_pools, slas, sla_coverage_groups, sla_notification_schemes, sla_notification_rules, slas_financial_details_rfc_type_activities, sprints, sprint_backlog_items, standard_service_requests, surveys, survey_questions, survey_responses, survey_answers, tasks, task_approvals, task_templates, task_template_approvals, teams, timesheet_settings, time_allocations, time_entries, ui_extensions, waiting_for_customer_follow_ups, waiting_for_customer_rules, workflow_templates, workflow_types, workflows",
  );
  const exports = splitList(
    "affected_slas, agile_boards, agile_board_columns, app_offerings, app_offering_scopes, app_offering_automation_rules, effort_classes, flsas, generic_ci_automation_rules, generic_project_task_automation_rules, generic_request_automation_rules, generic_risk_automation_rules, generic_task_automation_rules, generic_workflow_automation_rules, request_template_automation_rules, task_template_automation_rules, workflow_template_automation_rules, project_template_automation_rules, project_task_template_automation_rules, scim_user_automation_rules, scim_group_automation_rules, product_backlogs, product_backlog_items, project_risk_levels",
  );
  /** types whose records this product doesn't have */
  const unknown = splitList(
    "trusted_organizations, missing_translations, outdated_translations, translations, permission_events, satisfactions, service_offering_activity_rates, service_offering_ssr_rates, sla_financial_details, sla_financial_details_activities, sla_financial_details_charges, system_logs",
  );

  test("IE12: every import type is also an export type under its own name", () => {
    const { types } = the.service.engine;
    for (const word of imports) {
      assert.ok(findImportType(types, word) !== null, word);
      assert.ok(findExportType(types, word) !== null, word);
    }
    for (const word of exports) assert.ok(findExportType(types, word) !== null && !findImportType(types, word), word);
  });

  test("a type without records in this product is a 422", async () => {
    for (const type of unknown) {
      assert.equal((await postImport(ada, type, "Name\n")).status, 422, type);
      assert.equal((await ada.post("/export", { type })).status, 422, type);
    }
  });

  test("people columns", async () => {
    const headers = splitList(
      "ID, Primary Email, Source, Source ID, Disabled, Name, Picture URI, Organization, Job Title, Support ID, Authentication ID, Employee ID, Cost Per Hour, Manager, Site, Location, Information, Time Zone, Time Format 24h, Locale, Auto Translation, Do Not Translate Languages, Work Hours, VIP, UI Extension, Custom Data, Custom Fields, Created At, Updated At",
    );
    const cells = headers.map((header) => ({ "Primary Email": "columns@widget.example", Name: "All" })[header] ?? "");
    await importAndExpect("people", `${headers.join(",")}\n${cells.join(",")}\n`, { created: 1 });
    const [row] = await exportAsTable(ada, "people");
    const unwritten = headers.filter((header) => !(header in (row as object)));
    assert.deepEqual(unwritten, ["UI Extension", "Custom Data"]);
  });
});

describe("export", () => {
  test("expires_at: 2 days after completion, in the time zone of the caller", async () => {
    const { body } = await ada.post("/export", { type: "sites" });
    const { body: state } = await ada.get(`/export/${body.token}`);
    assert.equal(state.expires_at, "2025-03-05T09:00:00+01:00");
  });

  test("a waiting export returns its state, a running one also the type and the line", async () => {
    const insert = (token: string, state: string, type: string | null) =>
      the.sql(
        "INSERT INTO exports (account_id, token, person_id, types, format, line_separator, state, type, line, created_at) VALUES ('widget-it', $1, 1, '{sites}', 'csv', 'lf', $2, $3, 512, now())",
        [token, state, type],
      );
    await insert("waits", "queued", null);
    await insert("works", "processing", "sites");
    const states = await Promise.all(["waits", "works"].map(async (token) => (await ada.get(`/export/${token}`)).body));
    assert.deepEqual(states, [{ state: "queued" }, { state: "processing", type: "sites", line: 512 }]);
    await the.sql("DELETE FROM exports WHERE token IN ('waits', 'works')");
  });

  test("unknown members are reported in a header, or refused with handling=strict", async () => {
    const order = { type: "sites", colour: "red", locale: "nl" };
    const { status, headers } = await ada.post("/export", order);
    assert.deepEqual([status, headers.get("X-Ignored-Fields")], [200, "colour"]);
    assert.equal((await ada.post("/export", order, { Prefer: "handling=strict" })).status, 422);
  });

  test("IE14: from at most 2 months back", async () => {
    assert.equal((await ada.post("/export", { type: "sites", from: "20250103" })).status, 200);
    assert.equal((await ada.post("/export", { type: "sites", from: "20250101" })).status, 422);
  });

  test("disabled records are included, archived and trashed ones aren't", async () => {
    await importAndExpect(
      "people",
      "Name,Primary Email,Disabled\nStays,stays@widget.example,1\nLeaves,leaves@widget.example,1\n",
      {
        created: 2,
      },
    );
    assert.equal((await ada.post(`/people/${(await loadPerson("leaves@widget.example")).id}/trash`)).status, 200);
    const names = (await exportAsTable(ada, "people")).map((row) => row.Name);
    assert.deepEqual([names.includes("Stays"), names.includes("Leaves")], [true, false]);
  });

  test("IE19: it shows one point in time, however the records change in the meantime", async () => {
    await the.sql(
      "INSERT INTO sites (account_id, name, created_at, updated_at) SELECT 'widget-it', 'Moment 0', '2025-03-01', '2025-03-01' FROM generate_series(1, 6000)",
    );
    let isDone = false;
    const changing = (async () => {
      for (let n = 1; !isDone; n++)
        await the.sql("UPDATE sites SET name = $1 WHERE name LIKE 'Moment %'", [`Moment ${n}`]);
    })();
    const rows = await exportAsTable(ada, "sites");
    isDone = true;
    await changing;
    const names = rows.map((row) => row.Name as string).filter((name) => name.startsWith("Moment"));
    assert.deepEqual([names.length, new Set(names).size], [6000, 1]);
    await the.sql("DELETE FROM sites WHERE name LIKE 'Moment %'");
  });
});
