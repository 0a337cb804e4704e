import assert from "node:assert/strict";
import pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { register } from "../records/index.ts";
import { readConfiguration } from "../server/base/configuration.ts";
import { jsonLog } from "../server/base/log.ts";
import { accounts, signIns } from "../server/commands/demo/accounts.ts";
import { company } from "../server/commands/demo/company.ts";
import { loadDemo } from "../server/commands/demo/load.ts";
import { createPersonalAccessToken } from "../server/oauth/personal-access-tokens.ts";
import { assembleService, type Service } from "../server/service.ts";
import { migrate } from "../server/storage/migrate.ts";
import { newDatabase, newFolder } from "./support/command-line.ts";
import { type Client, client } from "./support/world.ts";

const clock = { now: () => new Date("2026-04-08T09:30:00Z") };

const services: Service[] = [];
afterAll(async () => {
  for (const service of services) await service.stop();
});

async function demoCompany(): Promise<{ url: string; service: Service }> {
  const url = await newDatabase();
  await migrate(url);
  const configuration = readConfiguration({ DATA_DIR: newFolder(), PORT: "0", RATE_LIMIT: "0", RATE_BURST: "0" });
  const service = await assembleService({ configuration, databaseUrl: url, clock, log: jsonLog(() => {}) });
  services.push(service);
  return { url, service };
}

let url: string;
let service: Service;
let asLoaded: Record<string, unknown[]>;
const as: Record<string, Client> = {};

beforeAll(async () => {
  ({ url, service } = await demoCompany());
  assert.equal(await loadDemo(service.engine), true);
  asLoaded = await contents(url);
  const base = `http://127.0.0.1:${await service.start()}/v1`;
  for (const { role, email, account } of signIns) {
    const wanted = { email, account: "quillhaven", name: "test", actions: ["*:*"] };
    const token = await createPersonalAccessToken(service.engine.database, clock, wanted);
    as[role] = client(base, { Authorization: `Bearer ${token}`, account });
  }
});

/** All rows of all tables but those that hold secrets or the time of the machine. */
async function contents(address: string): Promise<Record<string, unknown[]>> {
  const connection = new pg.Client({ connectionString: address });
  await connection.connect();
  const { rows } = await connection.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> ALL ('{instance_facts,schema_migrations,tokens}') ORDER BY 1",
  );
  const tables: Record<string, unknown[]> = {};
  for (const { name } of rows)
    tables[name] = (await connection.query(`SELECT * FROM "${name}" t ORDER BY t::text`)).rows;
  await connection.end();
  return tables;
}

const rowsOf = (type: string): number =>
  company.filter((table) => table.type === type).reduce((sum, table) => sum + Object.keys(table.rows).length, 0);

test("every row of every table becomes one record, and every record has its audit line", async () => {
  const tables = asLoaded;
  for (const { type } of company) {
    const { collection } = register.find(({ name }) => name === type) as (typeof register)[number];
    assert.equal(tables[collection]?.length, rowsOf(type), type);
    const created = tables.audit_lines?.filter((line) => {
      const { audited, action } = line as { audited: string; action: string };
      return audited === type && action === "create";
    });
    assert.equal(created?.length, rowsOf(type), type);
  }
  assert.equal(tables.accounts?.length, 4);
  assert.equal(tables.teams?.length, 12);
  assert.ok(rowsOf("person") >= 60 && (tables.contacts?.length ?? 0) >= 60 && (tables.addresses?.length ?? 0) >= 3);
  const events = new Set(tables.events?.map((event) => (event as { event: string }).event));
  for (const event of ["person.create", "person.update", "team.create", "team.update", "organization.create"])
    assert.ok(events.has(event), event);
});

test("loading it again changes nothing", async () => {
  const before = await contents(url);
  assert.equal(await loadDemo(service.engine), false);
  assert.deepEqual(await contents(url), before);
});

test("two loads are the same, down to ids and times, even after one that was cut short", async () => {
  const other = await demoCompany();
  const cutShort = { ...service.engine, database: other.service.engine.database };
  const failing = { ...cutShort, listeners: [() => Promise.reject(new Error("cut short"))] };
  await assert.rejects(loadDemo(failing), /cut short/);
  assert.equal(Object.values(await contents(other.url)).flat().length, 0);
  assert.equal(await loadDemo(other.service.engine), true);
  assert.deepEqual(await contents(other.url), asLoaded);
});

test("organizations form a tree with business units and regions below the one of the account", async () => {
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

test("the three sign-ins see what their roles let them see", async () => {
  const { administrator, specialist, requester } = as as Record<string, Client>;
  const count = async (who: Client | undefined, path: string) => {
    const { status, body } = await (who as Client).get(`${path}?per_page=100`);
    return status === 200 ? body.length : status;
  };
  assert.equal((await administrator?.get("/me"))?.body.name, "Ines Calloway");
  assert.equal(await count(administrator, "/people"), rowsOf("person") - 7, "all but those of other accounts");
  assert.equal(await count(specialist, "/teams"), 8);
  assert.equal(await count(specialist, "/services"), 12);
  assert.equal(await count(requester, "/people"), 1);
  assert.equal(await count(requester, "/teams"), 403);
  assert.equal((await specialist?.post("/teams", { name: "Mine" }))?.status, 403);
  assert.equal((await administrator?.post("/teams", { name: "Mine" }))?.status, 201);
});

test("people hold roles in several accounts, and every role but those of the add-on is held", async () => {
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

test("teams have members, a coordinator among them, and boards; the provider trusts and is trusted", async () => {
  const administrator = as.administrator as Client;
  const teams = (await administrator.get("/teams?fields=name,coordinator,manager,agile_board,scrum_workspace")).body;
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
  assert.deepEqual([portal.agile_board.name, portal.scrum_workspace.name], ["Portal Board", "Customer Portal"]);
  const columns = (await administrator.get(`/agile_boards/${portal.agile_board.id}/agile_board_columns`)).body;
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

test("nobody and nothing in it could be real: every address ends in .example", async () => {
  const text = JSON.stringify([accounts, company]);
  const domains = [...text.matchAll(/(?:@|https?:\/\/)([\w.-]+)/g)].map((match) => match[1] as string);
  assert.ok(domains.length > 60);
  for (const domain of domains) assert.match(domain, /\.example$/);
});
