import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  countEvents,
  emptyImportResult,
  postImport,
  runExport,
  runImport,
} from "../support/clients/import-and-export.ts";
import { startMailServer } from "../support/mail/mail-server.ts";
import { type Client, type World, world } from "../support/world.ts";

// Effects of imports and exports: notifications, permissions, and the files that they leave behind.

const server = await startMailServer();
const data = mkdtempSync(join(tmpdir(), "steward-exchange-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

let the: World;
let ada: Client;
let sam: Client;
let stop: { at: string; reached(): void; gate: Promise<void> } | null = null;
beforeAll(async () => {
  the = await world({
    env: { SMTP_URL: server.url, MAIL_FROM: "desk@widget.example", DATA_DIR: data },
    rules: {
      site: {
        async afterSave({ after }) {
          if (stop === null || after.name !== stop.at) return;
          stop.reached();
          await stop.gate;
        },
      },
    },
  });
  ada = the.as("administrator");
  sam = the.as("specialist");
});

const administrator = "/people/3/permissions/widget-it?roles=account_administrator";
const promote = async () => assert.equal((await ada.post(administrator)).status, 200);
const demote = async () => assert.equal((await ada.delete(administrator)).status, 204);

/** Blocks saving a site with this name. Returns a promise for that moment and a function that lets the save continue. */
function blockAt(name: string) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  stop = { at: name, reached: reached.resolve, gate: gate.promise };
  const resume = () => {
    stop = null;
    gate.resolve();
  };
  return { reached: reached.promise, resume };
}

async function waitForEnd(by: Client, path: string) {
  for (;;) {
    const { body, status } = await by.get(path);
    assert.equal(status, 200);
    if (body.state !== "queued" && body.state !== "processing") return body;
  }
}

/** Runs everything that is due and returns the new emails. */
async function collectMails() {
  await the.service.worker.runDue();
  await the.service.notificationDispatcher.runDue();
  await the.service.mailWorker.runDue();
  return server.received.splice(0);
}
const listRecipients = async () => (await collectMails()).map(({ to, subject }) => `${to}: ${subject}`);

describe("an import notifies", () => {
  const file =
    "Subject,Category,Team,Member,Requested By,Requested For,Status\nPrinter,other,Service Desk,sam@widget.example,rita@widget.example @widget,rita@widget.example @widget,assigned\n";

  test("no one by email of its changes, apart from the summary for the person who started it", async () => {
    await collectMails();
    const input = { subject: "Told", category: "other", team_id: 1, member_id: 3, requested_for_id: 5 };
    assert.equal((await ada.post("/requests", input)).status, 201);
    const usual = await listRecipients();
    assert.ok(usual.some((line) => line.startsWith("sam@widget.example")) && usual.length > 1, String(usual));
    const { results, log } = await runImport(ada, "requests", file);
    assert.deepEqual(results, { ...emptyImportResult, created: 1 }, log);
    assert.deepEqual(await listRecipients(), ["ada@widget.example: Your import of requests is done"]);
    const [request] = await the.sql<{ id: number; member_id: number }>(
      "SELECT id, member_id FROM requests WHERE subject = 'Printer'",
    );
    assert.equal(request?.member_id, 3);
    const more = await runImport(ada, "requests", `ID,Member,Note\n${request?.id},mia@widget.example,Look at this\n`);
    assert.deepEqual(more.results, { ...emptyImportResult, updated: 1 }, more.log);
    assert.deepEqual(await listRecipients(), ["ada@widget.example: Your import of requests is done"]);
    assert.deepEqual(await the.sql("SELECT 1 FROM notification_outbox"), []);
  });

  test("webhooks and automation rules of its changes, unless events are suppressed", async () => {
    const { status, text } = await ada.post("/automation_rules", {
      name: "Marks what comes in",
      generic: "request",
      trigger: "on create",
      actions: "a1: set impact = low",
    });
    assert.equal(status, 201, text);
    const impact = async () =>
      (await the.sql("SELECT impact FROM requests WHERE subject = 'Printer' ORDER BY id DESC LIMIT 1"))[0];
    const before = await countEvents(the, "request.create");
    await runImport(ada, "requests", file);
    await collectMails();
    assert.equal(await countEvents(the, "request.create"), before + 1);
    assert.deepEqual(await impact(), { impact: "low" });
    await runImport(ada, "requests", file, { suppress_events: "true" });
    await collectMails();
    assert.equal(await countEvents(the, "request.create"), before + 1);
    assert.deepEqual(await impact(), { impact: null });
  });

  test("people as usual of later changes to its records", async () => {
    await runImport(ada, "requests", file);
    await collectMails();
    const [request] = await the.sql<{ id: number }>("SELECT id FROM requests ORDER BY id DESC LIMIT 1");
    await ada.patch(`/requests/${request?.id}`, { member_id: 9 });
    assert.ok((await listRecipients()).some((line) => line.startsWith("mia@widget.example")));
  });
});

test("IE18: an email with the download link goes to the API user; it carries the headers X-Xurrent-Export and X-Xurrent-ExportID", async () => {
  await collectMails();
  const { body } = await ada.post("/export", { type: "sites, people" });
  const { url } = await waitForEnd(ada, `/export/${body.token}`);
  const [mail, ...others] = await collectMails();
  assert.deepEqual(
    [mail?.to, mail?.subject, others],
    ["ada@widget.example", "Your export of sites, people is ready", []],
  );
  const [row] = await the.sql<{ id: number }>("SELECT id FROM exports WHERE token = $1", [body.token]);
  assert.equal(mail?.headers.get("x-xurrent-export"), body.token);
  assert.equal(mail?.headers.get("x-xurrent-exportid"), String(row?.id));
  const link = mail?.text.trim() ?? "";
  assert.equal(new URL(link).pathname, new URL(url).pathname);
  assert.equal((await fetch(link)).status, 200);
  await runImport(ada, "sites", "Name\nMail\n");
  assert.equal((await collectMails())[0]?.headers.has("x-xurrent-export"), false);
});

describe("the role is checked until the work is done", () => {
  const rows = Array.from({ length: 250 }, (_, n) => `Role ${n}`);

  test("an import stops when the role is removed", async () => {
    await promote();
    const { reached, resume } = blockAt("Role 50");
    const { body } = await postImport(sam, "sites", `Name\n${rows.join("\n")}\n`);
    await reached;
    await demote();
    resume();
    assert.equal((await sam.get(`/import/${body.token}`)).status, 403);
    const { state, message, results } = await waitForEnd(ada, `/import/${body.token}`);
    assert.deepEqual([state, results], ["error", { ...emptyImportResult, created: 100 }]);
    assert.equal(message, "the person who started the import is no administrator any more");
  });

  test("an export fails when the role is removed, and its file isn't available", async () => {
    await promote();
    await collectMails();
    const client = new pg.Client({ connectionString: the.databaseUrl });
    await client.connect();
    await client.query("BEGIN; LOCK TABLE sites IN ACCESS EXCLUSIVE MODE");
    const { body } = await sam.post("/export", { type: "sites" });
    const findWaiting = () =>
      the.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
    while ((await findWaiting()).length === 0) await ada.get("/rate_limit");
    await demote();
    await client.query("COMMIT");
    await client.end();
    assert.deepEqual(await waitForEnd(ada, `/export/${body.token}`), { state: "failed" });
    const [mail] = await collectMails();
    assert.equal(mail?.subject, "Your export of sites failed");
    assert.doesNotMatch(mail?.text ?? "", /http/);
    await promote();
  });

  test("a person who is disabled in the meantime gets no email", async () => {
    await promote();
    await collectMails();
    const { reached, resume } = blockAt("Role 50");
    const { body } = await postImport(sam, "sites", `Name\n${rows.join("\n")}\n`);
    await reached;
    assert.equal((await ada.patch("/people/3", { disabled: true })).status, 200);
    resume();
    assert.equal((await waitForEnd(ada, `/import/${body.token}`)).state, "error");
    assert.deepEqual(await listRecipients(), []);
    assert.equal((await ada.patch("/people/3", { disabled: false })).status, 200);
  });
});

test("a type with more than 10,000 records is exported once a day, even if two exports are started at the same time", async () => {
  await the.sql(
    "INSERT INTO teams (account_id, name, created_at, updated_at) SELECT 'widget-it', 'Many ' || n, '2025-03-01', '2025-03-01' FROM generate_series(1, 10001) n",
  );
  const orders = await Promise.all(["sites,teams", "teams", "teams"].map((type) => ada.post("/export", { type })));
  const states = await Promise.all(orders.map(({ body }) => waitForEnd(ada, `/export/${body.token}`)));
  assert.deepEqual(states.map(({ state }) => state).sort(), ["done", "failed", "failed"]);
  for (const state of states)
    if (state.state === "failed") assert.deepEqual(state, { state: "failed", rate_limit_exceeded: "teams" });
  await the.sql("DELETE FROM teams WHERE name LIKE 'Many %'");
});

describe("files", () => {
  const buildFolder = (token: string) => join(data, "attachments", "exchange", "widget-it", token);

  test("are deleted after two days, including files left behind by a crash", async () => {
    const { body } = await postImport(ada, "sites", "Name\nFiles\n");
    await waitForEnd(ada, `/import/${body.token}`);
    const { state } = await runExport(ada, "sites");
    const folders = [buildFolder(body.token), buildFolder(new URL(state.url).pathname.split("/")[3] as string)];
    await the.service.worker.runDue();
    assert.deepEqual(readdirSync(folders[0] as string), ["log.txt"]);
    for (const folder of folders) writeFileSync(join(folder, ".0123.part"), "half a file");
    await the.clock.pass(172_799);
    assert.ok(folders.every((folder) => existsSync(folder)));
    await the.clock.pass(2);
    assert.deepEqual(
      folders.filter((folder) => existsSync(folder)),
      [],
    );
  });

  test("of a failed upload are deleted immediately, or a day after a crash", async () => {
    const before = readdirSync(join(data, "attachments", "exchange", "widget-it"));
    const form = new FormData();
    form.set("file", new Blob(["Name\nX\n"]), "x.csv");
    form.set("type", "nonsense");
    assert.equal((await ada.post("/import", form)).status, 422);
    assert.deepEqual(readdirSync(join(data, "attachments", "exchange", "widget-it")), before);
    const planned = await the.sql<{ key: string }>(
      "SELECT key FROM jobs WHERE kind = 'remove folder' AND attempts = 0",
    );
    assert.ok(planned.length > 0);
    await the.clock.pass(86_400 * 3);
    assert.deepEqual(await the.sql("SELECT 1 FROM jobs WHERE kind = 'remove folder'"), []);
  });
});

test("type and file may come in any order", async () => {
  const form = new FormData();
  form.set("file", new Blob(["Name\nFile first\n"]), "x.csv");
  form.set("suppress_events", "true");
  form.set("type", "sites");
  const before = await countEvents(the, "site.create");
  const { body, status } = await ada.post("/import", form);
  assert.equal(status, 200);
  const { results } = await waitForEnd(ada, `/import/${body.token}`);
  assert.deepEqual(results, { ...emptyImportResult, created: 1 });
  assert.equal(await countEvents(the, "site.create"), before);
  form.append("file", new Blob(["Name\nTwo\n"]), "y.csv");
  assert.equal((await ada.post("/import", form)).status, 400);
});
