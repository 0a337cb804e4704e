import assert from "node:assert/strict";
import pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { accounts, signIns } from "../../demo/data/accounts.ts";
import { companyTables, tablesAfterLinks } from "../../demo/data/company.ts";
import { beginLaterWork } from "../../demo/loader/later-work.ts";
import { loadDemo } from "../../demo/loader/load.ts";
import { SeededRandom } from "../../demo/loader/seeded-random.ts";
import { importedPeople } from "../../demo/work/administration.ts";
import { renderPhrase, scenarios } from "../../demo/work/phrases.ts";
import { register } from "../../records/index.ts";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import type { Database, Statement, Value } from "../../server/database/database.ts";
import { createPersonalAccessToken } from "../../server/oauth/personal-access-tokens.ts";
import { assembleService, type Service } from "../../server/service.ts";
import { createDatabase, createFolder } from "../support/processes/command-line.ts";
import { type Client, createClient } from "../support/world.ts";

const clock = { now: () => new Date("2026-04-08T09:30:00Z") };

const day = 86_400_000;
const services: Service[] = [];
afterAll(async () => {
  for (const service of services) await service.stop();
});

async function startDemoCompany(): Promise<{ url: string; service: Service }> {
  const url = await createDatabase("template_empty");
  const configuration = readConfiguration({ DATA_DIR: createFolder(), PORT: "0", RATE_LIMIT: "0", RATE_BURST: "0" });
  const service = await assembleService({ configuration, databaseUrl: url, clock, log: createJsonLog(() => {}) });
  services.push(service);
  return { url, service };
}

const toCompany = ({ engine, api: { files } }: Service) => ({ engine, files });

let url: string;
let service: Service;
let asLoaded: Record<string, unknown[]>;
const statements = new Set<string>();
const as: Record<string, Client> = {};

beforeAll(async () => {
  ({ url, service } = await startDemoCompany());
  recordStatements(service.engine.database);
  assert.equal(await loadDemo(toCompany(service)), true);
  asLoaded = await loadContents(url);
  const base = `http://127.0.0.1:${await service.start()}/v1`;
  // Stop due work, which would otherwise change the company during the tests.
  await service.worker.stop();
  await service.notificationDispatcher.stop();
  for (const { role, email, account } of signIns) {
    const wanted = { email, account: "quillhaven", name: "test", actions: ["*:*"] };
    const token = await createPersonalAccessToken(service.engine.database, clock, wanted);
    as[role] = createClient(base, { Authorization: `Bearer ${token}`, account });
  }
});

/** Records every statement that the database sends from now on. */
function recordStatements(database: Database): void {
  const { read, change, transaction } = database;
  const noting =
    <T>(send: (statement: Statement, values?: readonly Value[]) => T) =>
    (statement: Statement, values?: readonly Value[]) => {
      statements.add(statement.text);
      return send(statement, values);
    };
  database.read = (statement, ...rest) => {
    statements.add(statement.text);
    return read.call(database, statement, ...rest);
  };
  database.change = (statement, ...rest) => {
    statements.add(statement.text);
    return change.call(database, statement, ...rest);
  };
  database.transaction = (work, zone) =>
    transaction.call(
      database,
      (tx) => work({ ...tx, query: noting(tx.query), send: noting(tx.send) }),
      zone,
    ) as ReturnType<typeof work>;
}

const allRows = (table: string) => `SELECT * FROM "${table}" t ORDER BY t::text`;
const digest = (table: string) => `SELECT count(*), md5(string_agg(t::text, '' ORDER BY t::text)) FROM "${table}" t`;

/** Returns all rows, or the result of `ask`, for all tables except those with secrets or the machine's time. */
async function loadContents(address: string, ask = allRows): Promise<Record<string, unknown[]>> {
  const connection = new pg.Client({ connectionString: address });
  await connection.connect();
  const { rows } = await connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     AND relname <> ALL ('{instance_facts,schema_migrations,tokens}') ORDER BY 1`,
  );
  const tables: Record<string, unknown[]> = {};
  for (const { name } of rows) tables[name] = (await connection.query(ask(name))).rows;
  await connection.end();
  return tables;
}

const allTables = [...companyTables, ...tablesAfterLinks];
const countRows = (type: string): number =>
  allTables
    .filter((table) => table.type === type)
    .reduce((sum, table) => sum + Object.keys(table.rows).length, type === "person" ? importedPeople.size : 0);

test("loading the company sends no one an email", () => {
  for (const table of ["mails", "notification_outbox"]) assert.deepEqual(asLoaded[table], [], table);
});

test("every row of every table becomes one record, and every record has its audit line", async () => {
  const tables = asLoaded;
  for (const { type } of allTables) {
    const { collection } = register.find(({ name }) => name === type) as (typeof register)[number];
    assert.equal(tables[collection]?.length, countRows(type), type);
    const created = tables.audit_lines?.filter((line) => {
      const { audited, action } = line as { audited: string; action: string };
      return audited === type && action === "create";
    });
    assert.equal(created?.length, countRows(type), type);
  }
  assert.equal(tables.accounts?.length, 4);
  assert.equal(tables.teams?.length, 12);
  assert.ok(countRows("person") >= 60 && (tables.contacts?.length ?? 0) >= 60 && (tables.addresses?.length ?? 0) >= 3);
  const events = new Set(tables.events?.map((event) => (event as { event: string }).event));
  for (const event of ["person.create", "person.update", "team.create", "team.update", "organization.create"])
    assert.ok(events.has(event), event);
});

test("loading the company again changes nothing", async () => {
  const before = await loadContents(url, digest);
  assert.equal(await loadDemo(toCompany(service)), false);
  assert.deepEqual(listDifferences(await loadContents(url, digest), before), []);
});

/** The names of the tables whose rows differ. The rows themselves would be too many to show. */
const listDifferences = (one: Record<string, unknown[]>, other: Record<string, unknown[]>): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (table) => JSON.stringify(one[table]) !== JSON.stringify(other[table]),
  );

test("the work that is loaded in the background is the same, even after interrupted loads", async () => {
  // The first days' work is enough, because every step depends on the previous ones.
  const workUntil = new Date(clock.now().getTime() - 86 * day);
  const whole = await startDemoCompany();
  assert.equal(await loadDemo(toCompany(whole.service), () => {}, { workUntil }), true);
  const once = await loadContents(whole.url);

  const { service, url } = await startDemoCompany();
  const failing = { ...service.engine, listeners: [() => Promise.reject(new Error("cut short"))] };
  await assert.rejects(
    loadDemo({ ...toCompany(service), engine: failing }, () => {}, { work: "later" }),
    /cut short/,
  );
  assert.equal(Object.values(await loadContents(url)).flat().length, 0);
  assert.equal(await loadDemo(toCompany(service), () => {}, { work: "later" }), true);
  const interrupted = await beginLaterWork(toCompany(service));
  await interrupted?.stop();
  assert.equal((await loadContents(url)).requests?.length, 0);
  const [first, second] = [
    await beginLaterWork(toCompany(service), { workUntil }),
    await beginLaterWork(toCompany(service)),
  ];
  assert.equal(await second?.done, false, "two servers load the work once");
  assert.equal(await first?.done, true);
  assert.equal(await beginLaterWork(toCompany(service)), null);
  const again = await loadContents(url);
  assert.ok((once.requests?.length ?? 0) > 20, `${once.requests?.length} requests`);
  // The ids of simultaneous work may be assigned in another order, but the number of rows is the same.
  const atOnce = [
    ...["affected_slas", "audit_lines", "events", "jobs", "notes", "request_cis", "request_viewers", "requests"],
    "time_entries",
  ];
  assert.deepEqual(
    listDifferences(again, once).filter((table) => !atOnce.includes(table)),
    [],
  );
  for (const table of atOnce) assert.equal(again[table]?.length, once[table]?.length, table);
  const asNumbered = { id: 0, request_id: 0, feedback_key: "", agile_board_column_position: 0 };
  const withoutNumbers = (rows: unknown[] = []) =>
    rows.map((row) => JSON.stringify({ ...(row as object), ...asNumbered })).sort();
  for (const table of ["affected_slas", "notes", "requests"])
    assert.deepEqual(withoutNumbers(again[table]), withoutNumbers(once[table]), table);
});

test("organizations form a tree with business units and regions below the account's organization", async () => {
  const { body } = await (as.administrator as Client).get(
    "/organizations?per_page=100&fields=name,parent,business_unit,region,business_unit_organization,account",
  );
  type Organization = { id: number; name: string; parent: { id: number } | null; business_unit: boolean };
  const internal = (body as (Organization & { account?: { id: string } })[]).filter(
    ({ account }) => account?.id === "quillhaven",
  );
  const roots = internal.filter(({ parent }) => parent === null);
  assert.deepEqual(
    roots.map(({ name }) => name),
    ["Quillhaven Instruments"],
  );
  for (const organization of internal) {
    let top: Organization | undefined = organization;
    for (let depth = 0; top?.parent != null && depth < 10; depth++)
      top = internal.find(({ id }) => id === top?.parent?.id);
    assert.equal(top?.id, roots[0]?.id, organization.name);
  }
  assert.deepEqual(
    internal.filter(({ business_unit }) => business_unit).map(({ name }) => name),
    ["Quillhaven Americas", "Quillhaven Asia Pacific", "Quillhaven Europe", "Shared Services"],
  );
  const laboratory = body.find(({ name }: { name: string }) => name === "Optics Laboratory");
  assert.equal(laboratory.business_unit_organization.name, "Quillhaven Europe");
});

test("the three sign-ins see what their roles permit", async () => {
  const { administrator, specialist, requester } = as as Record<string, Client>;
  const count = async (who: Client | undefined, path: string) => {
    const { status, body } = await (who as Client).get(`${path}?per_page=100`);
    return status === 200 ? body.length : status;
  };
  assert.equal((await administrator?.get("/me"))?.body.name, "Ines Calloway");
  assert.equal(await count(administrator, "/people"), countRows("person") - 7, "all except people of other accounts");
  assert.equal(
    await count(specialist, "/teams"),
    10,
    "including teams of trusted accounts, to which work can be assigned",
  );
  assert.equal(await count(specialist, "/services"), 12);
  assert.equal(await count(requester, "/people"), 1);
  assert.equal(await count(requester, "/teams"), 403);
  assert.equal((await specialist?.post("/teams", { name: "Mine" }))?.status, 403);
  assert.equal((await administrator?.post("/teams", { name: "Mine" }))?.status, 201);
});

test("people have roles in several accounts, and every role except the add-on's is assigned", async () => {
  const administrator = as.administrator as Client;
  const [ines] = (await administrator.get("/people?name=Ines+Calloway")).body;
  const { body } = await administrator.get(`/people/${ines.id}/permissions`);
  assert.deepEqual(
    body.map(({ account, roles }: { account: { id: string }; roles: string[] }) => [account.id, roles.length]),
    [
      ["quillhaven", 3],
      ["quillhaven-fm", 2],
      ["quillhaven-it", 3],
    ],
  );
  const tables = asLoaded;
  const held = new Set((tables.permissions as { role: string }[]).map(({ role }) => role));
  assert.equal(held.size, 19);
  const owners = (tables.accounts as { id: string; owner_id: number | null }[]).filter((row) => row.owner_id === null);
  assert.deepEqual(owners, []);
});

test("teams have members, including the coordinator, and boards; the provider trusts and is trusted", async () => {
  const administrator = as.administrator as Client;
  const all = (await administrator.get("/teams?fields=name,coordinator,manager,agile_board,scrum_workspace")).body;
  const teams = all.filter(({ account }: { account?: unknown }) => account === undefined); // teams of other accounts name their account
  for (const team of teams.filter(({ name }: { name: string }) => name !== "Mine")) {
    const members = (await administrator.get(`/teams/${team.id}/members`)).body as { id: number }[];
    assert.ok(members.length >= 3, team.name);
    assert.ok(
      members.some(({ id }) => id === team.coordinator.id),
      team.name,
    );
    assert.ok(team.manager, team.name);
  }
  const portal = teams.find(({ name }: { name: string }) => name === "Portal Development");
  assert.equal(portal.scrum_workspace.name, "Customer Portal");
  const boards = (await administrator.get("/agile_boards?fields=name")).body;
  const board = boards.find(({ name }: { name: string }) => name === "Portal Board");
  const columns = (await administrator.get(`/agile_boards/${board.id}/agile_board_columns`)).body;
  assert.deepEqual(
    columns.map(({ name }: { name: string }) => name),
    ["To Do", "In Progress", "Review", "Done"],
  );
  const { account_trusts } = asLoaded;
  assert.deepEqual(
    (account_trusts as { account_id: string; trusted_account_id: string; status: string }[]).map(
      (row) => `${row.account_id} ${row.trusted_account_id} ${row.status}`,
    ),
    [
      "nimbrook quillhaven-fm accepted",
      "nimbrook quillhaven-it accepted",
      "quillhaven-fm nimbrook accepted",
      "quillhaven-it nimbrook accepted",
    ],
  );
});

// biome-ignore format: a table keeps its columns
const atLeast: Record<string, number> = {
  service_categories: 6, service_instances: 20, service_offerings: 20, slas: 20, sla_coverage_groups: 2, flsas: 1,
  calendars: 10, calendar_hours: 40, holidays: 20, skill_pools: 5, effort_classes: 5, time_allocations: 5, timesheet_settings: 2,
  out_of_office_periods: 6, product_categories: 15, products: 30, cis: 300, ci_relations: 75, ci_users: 80, service_instance_cis: 150,
  contracts: 8, knowledge_articles: 25, request_templates: 20, workflow_templates: 10, workflow_template_phases: 25, task_templates: 25,
  task_template_relations: 35, workflow_types: 5, closure_codes: 6, rfc_types: 3, project_risk_levels: 3, project_templates: 3,
  project_task_templates: 10, risks: 6, ui_extensions: 1, reservation_offerings: 3, reservations: 8, shop_articles: 12,
  shop_article_categories: 5, broadcasts: 5, survey_answers: 80, agile_board_columns: 10, sprint_backlog_items: 10,
  requests: 1990, affected_slas: 1500, notes: 5000, workflows: 40, projects: 6, project_tasks: 30, problems: 12, time_entries: 500,
};

test("every table has its minimum number of rows", () => {
  const missing = Object.entries(atLeast).filter(([table, count]) => (asLoaded[table]?.length ?? 0) < count);
  const found = missing.map(([table, count]) => `${table}: ${asLoaded[table]?.length} of ${count}`);
  assert.deepEqual(found, []);
});

test("every reference refers to an existing record", () => {
  const ids = new Map<string, Set<unknown>>();
  const listIds = (type: string): Set<unknown> => {
    const { collection } = register.find(({ name }) => name === type) as (typeof register)[number];
    const known =
      ids.get(type) ?? new Set((asLoaded[collection] as { id: unknown }[] | undefined)?.map(({ id }) => id));
    ids.set(type, known);
    return known;
  };
  let checked = 0;
  for (const { name: type, collection, fields } of register)
    for (const [name, field] of Object.entries(fields)) {
      if (field.kind !== "reference" && field.kind !== "code") continue;
      const known = [listIds(field.to), ...("or" in field && field.or ? [listIds(field.or)] : [])];
      for (const row of (asLoaded[collection] ?? []) as Record<string, unknown>[]) {
        const id = row[`${name}_id`];
        if (id == null) continue;
        checked++;
        assert.ok(
          known.some((each) => each.has(id)),
          `${name} of ${type} ${row.id}`,
        );
      }
    }
  assert.ok(checked > 20_000, `${checked} references`);
});

// biome-ignore format: a table keeps its columns
type Request = {
  id: number; subject: string; category: string; impact: string | null; status: string; completion_reason: string | null; created_at: Date; updated_at: Date;
  completed_at: Date | null; resolution_target_at: Date | null; waiting_until: Date | null; created_by_id: number; requested_for_id: number; team_id: number | null; member_id: number | null;
  grouped_into_id: number | null; problem_id: number | null; workflow_id: number | null; service_instance_id: number;
};
const requests = () => asLoaded.requests as Request[];
const countBy = <T>(list: readonly T[], by: (each: T) => unknown): Map<unknown, number> => {
  const counts = new Map<unknown, number>();
  for (const each of list) counts.set(by(each), (counts.get(by(each)) ?? 0) + 1);
  return counts;
};

test("the work is within the last 90 days, mostly on working days, and never in the future", () => {
  const now = clock.now();
  for (const table of ["requests", "notes", "workflows", "tasks", "projects", "problems", "audit_lines", "events"])
    for (const row of (asLoaded[table] ?? []) as Record<string, Date | null>[])
      for (const moment of ["created_at", "updated_at", "completed_at", "finished_at", "solved_at"])
        assert.ok((row[moment] ?? now) <= now, `${table} ${row.id} ${moment}`);
  for (const { id, created_at } of requests())
    assert.ok(now.getTime() - created_at.getTime() <= 91 * day, `request ${id} is older`);
  const perDay = countBy(requests(), ({ created_at }) => created_at.toISOString().slice(0, 10));
  assert.ok(perDay.size >= 64, `${perDay.size} days`);
  assert.ok(Math.max(...perDay.values()) < 70);
  const weekend = requests().filter(({ created_at }) => [0, 6].includes(created_at.getUTCDay())).length;
  assert.ok(weekend > 0 && weekend < requests().length * 0.12, `${weekend} at weekends`);
});

test("the requests' states match their fields", () => {
  const all = requests();
  const states = countBy(all, ({ status }) => status);
  const completed = states.get("completed") ?? 0;
  assert.ok(completed > all.length * 0.85 && completed < all.length * 0.97, `${completed} completed`);
  for (const status of [
    "assigned",
    "accepted",
    "in_progress",
    "waiting_for",
    "waiting_for_customer",
    "on_backlog",
    "workflow_pending",
  ])
    assert.ok(states.has(status), status);
  const members = new Set(
    (asLoaded.team_members as { team_id: number; person_id: number }[]).map((row) => `${row.team_id} ${row.person_id}`),
  );
  for (const each of all) {
    const what = `request ${each.id}, ${each.status}`;
    const isCompleted = each.status === "completed";
    assert.equal(each.completed_at !== null, isCompleted, what);
    assert.equal(each.completion_reason !== null, isCompleted, what);
    assert.equal(each.waiting_until !== null, each.status === "waiting_for", what);
    if (each.waiting_until !== null) assert.ok(each.waiting_until > clock.now(), what);
    assert.ok(each.team_id !== null, what);
    if (each.member_id !== null) assert.ok(members.has(`${each.team_id} ${each.member_id}`), what);
    else assert.ok(["assigned", "on_backlog", "declined"].includes(each.status), what);
    if (each.category === "incident") assert.ok(each.impact !== null, what);
    if (each.completed_at !== null) assert.ok(each.completed_at >= each.created_at, what);
  }
  assert.ok(new Set(countBy(all, ({ completion_reason }) => completion_reason).keys()).size >= 7);
  assert.ok(all.filter(({ grouped_into_id }) => grouped_into_id !== null).length >= 10, "grouped");
  assert.ok(all.filter(({ problem_id }) => problem_id !== null).length >= 20, "of problems");
  assert.ok(all.filter(({ workflow_id }) => workflow_id !== null).length >= 5, "of workflows");
  assert.ok(countBy(all, ({ service_instance_id }) => service_instance_id).size >= 15, "services");
  assert.ok(countBy(all, ({ subject }) => subject).size > 700, "subjects");
});

test("most offerings meet their targets, and one is visibly worse", () => {
  const offeringOf = new Map(
    (asLoaded.slas as { id: number; service_offering_id: number }[]).map((sla) => [sla.id, sla.service_offering_id]),
  );
  const names = new Map(
    (asLoaded.service_offerings as { id: number; name: string }[]).map(({ id, name }) => [id, name]),
  );
  const byId = new Map(requests().map((request) => [request.id, request]));
  const results = new Map<string, boolean[]>();
  for (const { request_id, sla_id } of asLoaded.affected_slas as { request_id: number; sla_id: number }[]) {
    const { completed_at = null, resolution_target_at = null } = byId.get(request_id) ?? {};
    if (completed_at === null || resolution_target_at === null) continue;
    const name = names.get(offeringOf.get(sla_id) ?? 0) ?? "";
    results.set(name, [...(results.get(name) ?? []), completed_at <= resolution_target_at]);
  }
  const often = [...results].filter(([, met]) => met.length >= 40);
  const shares = often.map(([name, met]) => [name, met.filter(Boolean).length / met.length] as const);
  assert.ok(shares.length >= 12, `${shares.length} offerings`);
  for (const [name, share] of shares)
    if (name === "Portal for Customers") assert.ok(share > 0.68 && share < 0.82, `${name}: ${share}`);
    else assert.ok(share >= 0.88, `${name}: ${share}`);
});

test("the webhooks have a delivery history; no message leaves the machine or is due immediately", () => {
  type Delivery = { state: string; tries: number; body: string; next_try_at: Date; webhook_id: number };
  const deliveries = asLoaded.webhook_deliveries as Delivery[];
  const of = (state: string) => deliveries.filter((delivery) => delivery.state === state);
  assert.ok(of("delivered").length > 200, `${of("delivered").length} delivered`);
  assert.ok(of("delivered").some(({ tries }) => tries > 1));
  assert.deepEqual(
    of("failed").map(({ tries }) => tries),
    [14, 14, 14, 14],
  );
  assert.equal(of("waiting").length, 2);
  for (const { next_try_at, tries } of of("waiting")) assert.ok(next_try_at > clock.now() && tries > 1);
  assert.equal(deliveries.length, of("delivered").length + 4 + 2);
  assert.equal(
    asLoaded.webhook_attempts?.length,
    deliveries.reduce((sum, { tries }) => sum + tries, 0),
  );
  for (const { body, webhook_id } of deliveries) assert.equal(JSON.parse(body).webhook_id, webhook_id);
  const [sandbox] = asLoaded.webhook_sandboxes as { key: string; expires_at: Date }[];
  assert.ok((sandbox?.expires_at ?? 0) > new Date(clock.now().getTime() + 365 * day));
  const webhooks = asLoaded.webhooks as { uri: string; verified: boolean }[];
  assert.equal(webhooks.length, 5);
  assert.ok(webhooks.every(({ uri, verified }) => verified && uri.endsWith(`/sandbox/${sandbox?.key}`)));
});

test("the request log has last week's calls of browsers and programs, some of them failed", () => {
  type LoggedCall = { called_at: Date; status: number; is_session: boolean; token_id: number; path: string };
  const calls = asLoaded.api_calls as LoggedCall[];
  const age = ({ called_at }: LoggedCall) => clock.now().getTime() - called_at.getTime();
  assert.ok(
    calls.length > 500 && calls.every((call) => age(call) >= 0 && age(call) < 7 * day),
    `${calls.length} calls`,
  );
  assert.equal(new Set(calls.filter((call) => !call.is_session).map((call) => call.token_id)).size, 4);
  assert.ok(calls.filter((call) => call.is_session).length > 100);
  assert.deepEqual([...new Set(calls.map(({ status }) => status))].sort(), [200, 201, 304, 403, 422]);
});

test("changes of the demo company have an origin", () => {
  type Origin = { kind: string; place?: string; application?: string; row?: number; records?: number; name?: string };
  const kinds = Map.groupBy(
    asLoaded.audit_lines as { origin: Origin; created_at: Date; changes: Record<string, unknown> }[],
    ({ origin }) => origin.kind,
  );
  const of = (kind: string) => kinds.get(kind) ?? [];
  assert.deepEqual([...kinds.keys()].sort(), ["browser", "bulk_change", "import", "rule", "sample_data", "system"]);
  const places = new Set(of("browser").map(({ origin }) => origin.place));
  for (const place of ["Eindhoven", "London", "Kobe", "Gdańsk"]) assert.ok(places.has(place), place);
  assert.ok(of("import").every(({ origin }) => origin.application === "hr-import" && (origin.row ?? 0) > 1));
  assert.equal(of("import").length, importedPeople.size + 1, "one was imported again with another title");
  assert.deepEqual(
    of("bulk_change").map(({ origin, changes }) => [origin.records, changes.reviewed]),
    Array.from({ length: 9 }, () => [9, [false, true]]),
  );
  const rules = new Set(of("rule").map(({ origin }) => origin.name));
  assert.ok(rules.has("Propose a major incident") && rules.size === 2, [...rules].join());
  const imports = asLoaded.imports as { state: string; failures: number; errors: number }[];
  assert.deepEqual(
    imports.map(({ state, failures, errors }) => [state, failures, errors]),
    [
      ["done", 0, 0],
      ["done", 0, 0],
    ],
  );
});

test("work that was due in the past has been done, and none of it is left", () => {
  const jobs = asLoaded.jobs as { kind: string; run_at: Date }[];
  const late = jobs.filter(({ kind, run_at }) => kind !== "recurrences of calendars" && run_at <= clock.now());
  assert.deepEqual(
    late.map(({ kind }) => kind).filter((kind) => !kind.startsWith("remove f")),
    [],
  );
  const lines = asLoaded.audit_lines as { origin: { kind: string }; created_at: Date }[];
  const removed = lines.filter(({ origin }) => origin.kind === "system");
  assert.ok(removed.length >= 20, `${removed.length} lines of timers`);
  assert.ok(countBy(removed, ({ created_at }) => created_at.toISOString().slice(0, 10)).size > 12, "on many days");
});

test("people registered, answered and completed the requests, and the audit trail says so", () => {
  const lines = asLoaded.audit_lines as {
    audited: string;
    action: string;
    record_id: number;
    created_by_id: number | null;
    created_at: Date;
  }[];
  const created = new Map(
    lines
      .filter(({ audited, action }) => audited === "request" && action === "create")
      .map((line) => [line.record_id, line]),
  );
  for (const { id, created_by_id, created_at } of requests()) {
    const line = created.get(id);
    assert.deepEqual([line?.created_by_id, line?.created_at], [created_by_id, created_at], `request ${id}`);
    assert.ok(created_by_id !== null);
  }
  const own = requests().filter((each) => each.created_by_id === each.requested_for_id).length;
  assert.ok(own > requests().length * 0.4 && own < requests().length * 0.8, `${own} registered by the requester`);

  const notes = asLoaded.notes as { request_id: number | null; person_id: number | null }[];
  const perRequest = countBy(
    notes.filter(({ request_id }) => request_id !== null),
    ({ request_id }) => request_id,
  );
  const closed = requests().filter(({ status, grouped_into_id }) => status === "completed" && grouped_into_id === null);
  const usual = closed.filter(({ id }) => (perRequest.get(id) ?? 0) >= 2 && (perRequest.get(id) ?? 0) <= 5);
  assert.ok(usual.length > closed.length * 0.95, `${usual.length} of ${closed.length} with 2 to 5 notes`);
});

test("workflows, projects and problems are at different stages", () => {
  const statuses = (table: string) => new Set((asLoaded[table] as { status: string }[]).map(({ status }) => status));
  assert.ok(statuses("workflows").size >= 2 && statuses("workflows").has("completed"));
  assert.ok(statuses("projects").has("completed") && statuses("projects").size >= 2);
  assert.ok(statuses("project_tasks").size >= 4);
  assert.ok(statuses("problems").size >= 4);
});

test("random texts depend on the seed alone and leave no placeholder unresolved", () => {
  const all = (seed: number) => {
    const chance = new SeededRandom(seed);
    return scenarios.flatMap(({ subject, note, fix, ask = "Why?", answer = "Yes." }) => {
      const words = new Map<string, string>();
      return [subject, note, ask, answer, fix].map((phrase) => renderPhrase(phrase, chance, words));
    });
  };
  assert.deepEqual(all(1), all(1));
  assert.notDeepEqual(all(1), all(2));
  for (let seed = 0; seed < 40; seed++)
    for (const text of all(seed)) {
      assert.doesNotMatch(text, /[[\]{}|]| [.,?]| {2}/);
      assert.match(text, /^\P{Ll}/u);
    }
});

test("no person or address could be real: every domain ends in .example", async () => {
  const text = JSON.stringify([accounts, allTables, scenarios]);
  const domains = [...text.matchAll(/(?:@|https?:\/\/)([\w.-]+)/g)].map((match) => match[1] as string);
  assert.ok(domains.length > 60);
  for (const domain of domains) assert.match(domain, /\.example$/);
});

test("no statement of loading the company scans the whole of a growing table", async () => {
  const grows = new Set(register.filter((type) => type.storage.grows).map(({ collection }) => collection));
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  // As if the tables had grown, and without the plans that only suit small tables.
  await connection.query("BEGIN; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off");
  await connection.query("UPDATE pg_class SET reltuples = 1000000 WHERE relname = ANY($1)", [[...grows]]);
  // biome-ignore lint/suspicious/noExplicitAny: a plan is whatever PostgreSQL tells
  const findFullScans = (plan: any): string[] => {
    const isAll = /^Index/.test(plan["Node Type"]) && !("Index Cond" in plan) && !/_sought_/.test(plan["Index Name"]);
    const isWhole = plan["Node Type"] === "Seq Scan" || isAll;
    const own = isWhole && grows.has(plan["Relation Name"]) ? [`${plan["Relation Name"]} ${plan.Filter ?? ""}`] : [];
    return [...own, ...(plan.Plans ?? []).flatMap(findFullScans)];
  };
  const found: [string, string[]][] = [];
  for (const text of statements) {
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text) || isOfLoading(text)) continue;
    const { rows } = await connection.query(`EXPLAIN (GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${text}`);
    const list = findFullScans(rows[0]["QUERY PLAN"][0].Plan);
    if (list.length > 0) found.push([text, list]);
  }
  await connection.end();
  assert.ok(statements.size > 500);
  assert.deepEqual(found, []);
});

/** The loader reads all people of the company once, and the last id of a table without a condition. */
const isOfLoading = (text: string): boolean =>
  /FROM people ORDER BY id$|^SELECT \(SELECT coalesce\(max\(id\), 0\) FROM|\(SELECT max\(id\) FROM audit_lines\)/.test(
    text,
  );
