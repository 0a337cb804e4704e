import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { beforeAll, describe, test } from "vitest";
import { commands } from "../../server/commands/index.ts";
import { acquireLock, buildLockKey } from "../../server/database/advisory-lock.ts";
import { findRunningDatabase } from "../../server/embedded/cluster/index.ts";
import { startObjectStorage, storageCredentials } from "../support/object-storage/object-storage.ts";
import {
  createDatabase,
  createFolder,
  type Env,
  interruptCommand,
  type RunningServer,
  runCommand,
  runCommandHere,
  startServer,
} from "../support/processes/command-line.ts";
import { buildNewerProgram } from "../support/processes/newer-program.ts";
import { followReadme } from "../support/processes/readme.ts";
import { openShell } from "../support/processes/shell.ts";
import { until } from "../support/waiting.ts";
import { createClient } from "../support/world.ts";

const withToken = (url: string, token: string, account?: string) =>
  createClient(`${url}/v1`, { Authorization: `Bearer ${token}`, ...(account === undefined ? {} : { account }) });
const isToken = /^[A-Za-z0-9]{112}\n$/;

async function sql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  return (await connection.query(text).finally(() => connection.end())).rows;
}

/** Returns whether another connection waits for a table that this connection has locked. */
async function isWaitedFor(locker: pg.Client, table: string): Promise<boolean> {
  const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass";
  return (await locker.query(waits, [table])).rows.length > 0;
}

describe("help and usage", () => {
  test("--help lists every command, and every command prints an example for --help", async () => {
    const general = await runCommand(["--help"], {});
    assert.equal(general.code, 0);
    assert.equal(general.err, "");
    for (const { name, summary } of commands) {
      assert.ok(general.out.includes(`${name} `) && general.out.includes(summary), name);
      const own = await runCommandHere([...name.split(" "), "--help"], {});
      assert.equal(own.code, 0);
      assert.match(own.out, new RegExp(`Usage: .* ${name}`));
      assert.match(own.out, /\nExample: \S/);
      assert.deepEqual(await runCommandHere(["help", ...name.split(" ")], {}), own);
    }
  });

  test("wrong usage prints a message and a hint to standard error and exits with code 2", async () => {
    const outcome = await runCommand(["frobnicate"], {});
    assert.deepEqual([outcome.code, outcome.out], [2, ""]);
    assert.match(outcome.err, /^Unknown command "frobnicate"\.\nFor help, run: .*--help\n$/);
    // biome-ignore format: a table keeps its columns
    const wrong: [string[], RegExp][] = [
      [[],                                                        /^No command given/],
      [["account"],                                               /^"account" needs a subcommand: "account create"/],
      [["token", "create", "--email", "a@b.example"],             /^Missing option: --account ID/],
      [["token", "create", "--email", "--account", "x"],          /^--email needs a value/],
      [["token", "create", "--email", "", "--account", "x"],      /^--email needs a value/],
      [["token", "create", "--frob"],                             /^Unknown option '--frob'/],
      [["backup"],                                                /^Missing argument: FILE/],
      [["backup", "a", "b"],                                      /^Unexpected argument "b"/],
      [["serve", "now"],                                          /^Unexpected argument "now"/],
    ];
    for (const [words, message] of wrong) {
      const { code, out, err } = await runCommandHere(words, {});
      assert.deepEqual([code, out], [2, ""], words.join(" "));
      assert.match(err, message);
      assert.match(err, /\nFor help, run: .*--help\n$/);
    }
  });

  test("invalid settings print one clear line and exit with code 1", async () => {
    // biome-ignore format: a table keeps its columns
    const settings: [Env, RegExp][] = [
      [{ PORT: "many" },                          /^PORT must be a whole number/],
      [{ ENVIRONMENT: "test" },                   /^ENVIRONMENT must be production, qa or demo/],
      [{ TRUST_PROXY: "everybody" },              /^TRUST_PROXY: "everybody" is not an address/],
      [{ TLS_CERT: "/no/c", TLS_KEY: "/no/k" },   /^Can't read TLS_CERT/],
    ];
    for (const [env, message] of settings) {
      const { code, out, err } = await runCommandHere(["serve"], env);
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, message);
      assert.equal(err.split("\n").length, 2);
    }
  });
});

describe("a separate data folder", () => {
  const folder = createFolder();
  const env = { DATA_DIR: join(folder, "data") };
  let server: RunningServer;
  let token: string;
  let people: unknown;

  test("the first start loads the demo company and prints commands that work when pasted", async () => {
    server = await startServer(env);
    const started = execFileSync("ps", ["-o", "args=", "-p", String(server.pid)], { encoding: "utf8" });
    assert.match(started, /--max-semi-space-size=8 --heap-growing-percent=50 \S+ serve/); // D-803
    assert.match(server.text.err, /^schema 1: /m);
    assert.match(server.text.err, /Loading the demo company/);
    for (const role of ["administrator", "specialist", "requester"])
      assert.match(server.text.out, new RegExp(`${role}\\s+\\S+@quillhaven\\.example`));
    assert.match(server.text.out, new RegExp(`${server.url}/docs/api`));

    const printed = server.text.out.split("\n").filter((line) => /^ {2}(export|curl) /.test(line));
    assert.equal(printed.length, 3, server.text.out);
    const shell = openShell();
    await shell.paste(printed.join("\n"));
    assert.equal((JSON.parse(shell.text.out.split("\n")[0] as string) as unknown[]).length, 3, shell.text.out);
    token = /export TOKEN=(\S+)/.exec(server.text.out)?.[1] as string;
    assert.match(
      printed[0] as string,
      new RegExp(`"Authorization: Bearer ${token}" -H "account: quillhaven-it" "http`),
    );
    people = (await withToken(server.url, token, "quillhaven-it").get("/people?per_page=100")).body;

    assert.equal(statSync(env.DATA_DIR).mode & 0o777, 0o711);
    assert.equal(statSync(join(env.DATA_DIR, "attachments")).mode & 0o777, 0o700);
    assert.equal(statSync(join(env.DATA_DIR, "postgres/password")).mode & 0o777, 0o600);
  });

  test("the README's commands, pasted one after another, lead to a signed message", async () => {
    const variables = server.text.out.match(/^ {2}export .*$/gm) ?? [];
    // Another account's webhook and policy take ID 1, so the commands can't rely on fixed IDs.
    const ines = withToken(server.url, token, "quillhaven-it");
    const other = { event: "team.create", uri: "http://127.0.0.1:9001/" };
    const policy = { jwt_alg: "es256", jwt_claim_expires_in: 5 };
    assert.equal((await ines.post("/webhooks", other)).body.id, 1);
    assert.equal((await ines.post("/webhook_policies", policy)).body.id, 1);
    const { received } = await followReadme(server.url, variables);
    assert.match(received, / team\.update \d+ by .*\(ES256, signature verified\)\n/);
  });

  test("a second server on the same data folder is refused", async () => {
    const { code, out, err } = await runCommand(["serve"], env);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, new RegExp(`^The data folder .* is in use by process ${server.pid}\\. .*\n$`));
  });

  test("token create works while the server runs and prints only the token", async () => {
    const words = ["token", "create", "--email", "Soren.Lindqvist@quillhaven.example", "--account", "quillhaven-it"];
    const { code, out, err } = await runCommand(words, env);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, isToken);
    assert.equal((await withToken(server.url, out.trim()).get("/me")).body.name, "Soren Lindqvist");
  });

  test("the server restarts a database that dies", async () => {
    const file = readFileSync(join(env.DATA_DIR, "postgres/cluster/postmaster.pid"), "utf8");
    process.kill(Number(file.split("\n")[0]), "SIGKILL");
    while (!server.text.err.includes('"the database is running again"')) await pause(50);
    for (;;) {
      const { status, body } = await withToken(server.url, token, "quillhaven-it").get("/people?per_page=100");
      if (status === 200) return assert.deepEqual(body, people);
      assert.equal(status, 503);
      await pause(50);
    }
  });

  test("SIGTERM lets a running call finish and exits with code 0", async () => {
    const locker = new pg.Client({
      connectionString: (await findRunningDatabase(join(env.DATA_DIR, "postgres"))) as string,
    });
    locker.on("error", () => {});
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE sites IN ACCESS EXCLUSIVE MODE");
    const answer = withToken(server.url, token, "quillhaven-it").get("/sites");
    await until(() => isWaitedFor(locker, "sites"));
    const ended = server.end();
    await until(() => server.text.err.includes("Stopping"));
    await locker.query("COMMIT");
    await locker.end();
    assert.equal((await answer).status, 200);
    assert.equal((await ended).code, 0);
    assert.equal(await findRunningDatabase(join(env.DATA_DIR, "postgres")), null);
  });

  test("the second start keeps the data and says how to create a token", async () => {
    server = await startServer(env);
    assert.doesNotMatch(server.text.err, /Loading|schema/);
    assert.doesNotMatch(server.text.out, /Bearer/);
    assert.match(server.text.out, /token create --email \S+@quillhaven\.example --account quillhaven-it/);
    assert.deepEqual((await withToken(server.url, token, "quillhaven-it").get("/people?per_page=100")).body, people);
  });

  test("a backup of the running server, restored elsewhere, returns the same data", async () => {
    writeFileSync(join(env.DATA_DIR, "attachments/kept.txt"), "kept");
    const file = join(folder, "backup.tar.gz");
    const backup = await runCommand(["backup", file], env);
    assert.deepEqual([backup.code, backup.out.startsWith(`${file}: `)], [0, true], backup.err);
    assert.equal((await server.end("SIGINT")).code, 0);

    const elsewhere = { DATA_DIR: join(folder, "elsewhere"), DATABASE_URL: await createDatabase() };
    const restored = await runCommandHere(["restore", file], elsewhere);
    assert.equal(restored.code, 0, restored.err);
    assert.equal(readFileSync(join(elsewhere.DATA_DIR, "attachments/kept.txt"), "utf8"), "kept");
    const other = await startServer(elsewhere);
    assert.deepEqual((await withToken(other.url, token, "quillhaven-it").get("/people?per_page=100")).body, people);

    const refused = await runCommandHere(["restore", file], elsewhere);
    assert.deepEqual([refused.code, refused.out], [1, ""]);
    assert.match(refused.err, /is not empty/);
    const storage = await startObjectStorage();
    const inBucket = storage.url().replace("?", "/daily/backup.tar.gz?");
    const withBucket = { ...elsewhere, ...storageCredentials };
    const again = await runCommandHere(["backup", inBucket], withBucket);
    const place = "s3://steward-files/daily/backup.tar.gz";
    assert.deepEqual([again.code, again.out.startsWith(`${place}: `)], [0, true], again.err);
    assert.deepEqual(await storage.keys(), ["daily/backup.tar.gz"]);
    const forced = await runCommandHere(["restore", inBucket, "--force"], withBucket);
    assert.equal(forced.code, 0, forced.err);
    assert.deepEqual(readdirSync(elsewhere.DATA_DIR).sort(), ["attachments"]);
    const notFound = await runCommandHere(["restore", inBucket.replace("daily", "weekly")], withBucket);
    assert.deepEqual([notFound.code, notFound.err], [1, `File not found: ${place.replace("daily", "weekly")}\n`]);
    assert.match(forced.err, /A server is using this database. Restart it/);
    assert.deepEqual((await withToken(other.url, token, "quillhaven-it").get("/people?per_page=100")).body, people);
    assert.equal((await other.end()).code, 0);

    const missing = await runCommandHere(["restore", join(folder, "nothing")], elsewhere);
    assert.deepEqual([missing.code, missing.err], [1, `File not found: ${join(folder, "nothing")}\n`]);
  });

  test("without a server, the database runs for the duration of the command", async () => {
    const { code, out, err } = await runCommand(["demo"], env);
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(out, "The demo company is already loaded. Nothing was changed.\n");
    assert.equal(await findRunningDatabase(join(env.DATA_DIR, "postgres")), null);
  });
});

describe("a database server", () => {
  const folder = createFolder();
  let env: Env;
  beforeAll(async () => {
    env = { DATA_DIR: folder, DATABASE_URL: await createDatabase(), ENVIRONMENT: "production" };
  });
  const account = ["account", "create"];
  const person = ["person", "create", "--account", "acme", "--name"];

  test("migrate brings an empty database to the newest schema and then has nothing to do", async () => {
    assert.match((await runCommandHere(["migrate"], env)).out, /The database is at schema \d+\.\n$/);
    assert.match((await runCommandHere(["migrate"], env)).out, /^Nothing to do/);
  });

  test("a database without an account, in production, prints how to create the first account and its administrator", async () => {
    const server = await startServer(env);
    assert.doesNotMatch(server.text.out, /quillhaven|Bearer/);
    const wanted = server.text.out.match(/(?:account|person|token) create .*$/gm) ?? [];
    assert.equal(wanted.length, 3);
    // The printed commands work as they are.
    let last = "";
    for (const line of wanted) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? (match[2] as string));
      const { code, out, err } = await runCommandHere(words, env);
      assert.deepEqual([code, err], [0, ""], line);
      last = out;
    }
    assert.match(last, isToken);
    const { body } = await withToken(server.url, last.trim()).get("/account");
    assert.deepEqual([body.id, body.organization.name, body.owner.name], ["acme", "Acme", "Your Name"]);
    assert.equal((await server.end()).code, 0);
  });

  test("account create and person create validate their arguments and leave nothing behind", async () => {
    // biome-ignore format: a table keeps its columns
    const refused: [string[], RegExp][] = [
      [[...account, "--id", "acme", "--name", "Again"],                          /^Account acme already exists/],
      [[...account, "--id", "A b", "--name", "Again"],                           /Invalid account ID/],
      [[...account, "--id", "b", "--name", "B", "--locale", "xx", "--time-zone", "Mars"], /^Time zone is not a valid time zone\. Locale is not included in the list\.$/m],
      [[...account, "--id", "b", "--name", "B", "--directory", "none"],          /^Account not found: none/],
      [[...person, "B", "--email", "YOU@acme.example"],                          /^Primary email has already been taken/],
      [[...person, "B", "--email", "nowhere"],                                   /^Primary email is not a valid e-mail address/],
      [[...person, "B", "--email", "b@acme.example", "--roles", "boss"],         /^Unknown role "boss"/],
      [[...person, "B", "--email", "b@acme.example", "--roles", "directory_auditor"], /is available only in directory accounts/],
      [[...person, "B", "--email", "b@acme.example", "--organization", "None"],  /^No organization named "None"/],
      [["token", "create", "--email", "b@acme.example", "--account", "acme"],    /^No active person/],
      [["token", "create", "--email", "you@acme.example", "--account", "acme", "--scopes", "frob:R"], /Unknown record type/],
      [["demo"],                                                                 /can't be loaded in production/],
    ];
    for (const [words, message] of refused) {
      const { code, out, err } = await runCommandHere(words, env);
      assert.deepEqual([code, out], [1, ""], words.join(" "));
      assert.match(err, message);
    }
    const counts =
      "SELECT (SELECT count(*) FROM accounts)::int AS accounts, (SELECT count(*) FROM people)::int AS people";
    assert.deepEqual(await sql(env.DATABASE_URL as string, counts), [{ accounts: 1, people: 1 }]);
  });

  test("a support domain shares its directory account's organization, and roles are granted", async () => {
    const domain = await runCommandHere(
      [...account, "--id", "acme-it", "--name", "Acme IT", "--directory", "acme"],
      env,
    );
    assert.deepEqual([domain.code, domain.out], [0, "acme-it\n"]);
    const roles = ["--email", "bob@acme.example", "--roles", "specialist, directory_administrator"];
    const bob = await runCommandHere([...person, "Bob", ...roles], env);
    assert.equal(bob.code, 0, bob.err);
    const found = await sql(
      env.DATABASE_URL as string,
      `SELECT p.organization_id = a.organization_id AND a.organization_id = d.organization_id AS shares,
         (SELECT string_agg(role, ' ' ORDER BY role) FROM permissions WHERE person_id = p.id) AS roles,
         (SELECT count(*)::int FROM audit_lines WHERE record_id = p.id AND audited = 'person') AS lines
       FROM people p, accounts a, accounts d WHERE p.id = ${Number(bob.out)} AND a.id = 'acme' AND d.id = 'acme-it'`,
    );
    assert.deepEqual(found, [{ shares: true, roles: "directory_administrator specialist", lines: 2 }]);
  });

  test("doctor finds everything in order, or names the problem", async () => {
    const port = createServer((_request, response) => response.end("something else"));
    await new Promise<void>((resolve) => port.listen(0, "127.0.0.1", resolve));
    const used = { ...env, PORT: String((port.address() as AddressInfo).port) };
    const well = await runCommand(["doctor"], { ...env, PORT: "1" });
    assert.deepEqual([well.code, well.err], [0, ""], well.out);
    assert.match(well.out, /^ok {7}database: PostgreSQL \d+/m);
    assert.match(well.out, /\nNo problems found\.\n$/);

    await sql(
      env.DATABASE_URL as string,
      "INSERT INTO attachments (account_id, key, name, size, created_at) VALUES ('acme', 'attachments/acme/x.txt', 'x.txt', 1, now()); INSERT INTO jobs (kind, payload, run_at, attempts, last_error) VALUES ('erase', '{}', now(), 5, 'no luck')",
    );
    const ill = await runCommandHere(["doctor"], used);
    assert.equal(ill.code, 1);
    assert.match(ill.out, /^PROBLEM {2}attachments: 1 of 1 files are missing/m);
    assert.match(ill.out, /^PROBLEM {2}jobs: 1 keep failing \(no luck\)/m);
    assert.match(ill.out, /^PROBLEM {2}port: \d+ of 127\.0\.0\.1 is in use by another program/m);
    assert.match(ill.out, /\n3 problems found\.\n$/);

    assert.equal((await runCommandHere(["jobs"], used)).out, "No failed jobs.\n");
    await sql(env.DATABASE_URL as string, "UPDATE jobs SET dead_at = now() WHERE last_error = 'no luck'");
    const dead = await runCommandHere(["doctor"], used);
    assert.match(dead.out, /^PROBLEM {2}jobs: 1 failed permanently \(no luck\)\. .* jobs --retry\.$/m);
    assert.match((await runCommandHere(["jobs"], used)).out, /^\d+\t-\terase\t5 attempts\t\S+\tno luck\n$/);
    assert.equal((await runCommandHere(["jobs", "--retry"], used)).out, "1 job queued for retry.\n");
    assert.equal((await runCommandHere(["jobs"], used)).out, "No failed jobs.\n");

    const busy = await runCommandHere(["serve"], used);
    assert.deepEqual([busy.code, busy.out], [1, ""]);
    assert.match(busy.err, /^Port \d+ on 127\.0\.0\.1 is already in use\..*PORT.*\n$/);
    await new Promise((resolve) => port.close(resolve));

    const nothing = await runCommandHere(["doctor"], { DATA_DIR: join(folder, "none"), PORT: "1" });
    assert.equal(nothing.code, 1);
    assert.match(nothing.out, /^PROBLEM {2}data folder: .* does not exist. Start Steward once/m);
  });

  test("a newer schema is refused, an older one is migrated, and the password is never printed", async () => {
    const url = await createDatabase("template_empty");
    await sql(url, "INSERT INTO schema_migrations (number, name, checksum) VALUES (9999, 'of tomorrow', 'x')");
    const newer = await runCommandHere(["migrate"], { DATABASE_URL: url });
    assert.match(newer.err, /^The database has schema 9999 of a newer program, which this program .* works with\.\n$/);
    await sql(url, "UPDATE instance_facts SET value = '9999' WHERE name = 'oldest_program'");
    for (const words of [["serve"], ["migrate"], ["demo"]]) {
      const { code, out, err } = await runCommandHere(words, { DATA_DIR: folder, DATABASE_URL: url, PORT: "0" });
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, /^The database has schema 9999, but this version supports schemas up to \d+\..*\n$/);
    }
    await sql(url, "DELETE FROM schema_migrations WHERE number = 9999");
    const { program } = buildNewerProgram(["ALTER TABLE teams ADD COLUMN motto text;\n"]);
    const behind = await runCommand(["demo"], { DATA_DIR: folder, DATABASE_URL: url }, undefined, program);
    assert.match(behind.err, /Restart the server or run .* migrate/);

    for (const DATABASE_URL of ["postgres://ada:geheim@127.0.0.1:1/steward", "nonsense://geheim:x"]) {
      const { code, out, err } = await runCommandHere(["serve"], { DATA_DIR: folder, DATABASE_URL, PORT: "0" });
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, /Check DATABASE_URL\.\n$|DATABASE_URL is not a valid URL/);
      assert.doesNotMatch(err, /geheim/);
    }
  });

  test("an interrupted start rolls back the data it has begun to load", async () => {
    const other = { DATA_DIR: folder, DATABASE_URL: await createDatabase("template_empty") };
    // The load waits for its lock until the signal is sent, so the signal interrupts it on fast machines too.
    const locker = new pg.Client({ connectionString: other.DATABASE_URL });
    await locker.connect();
    await locker.query("BEGIN");
    await locker.query(acquireLock.text, [buildLockKey("demo company")]);
    const { code, out, err } = await interruptCommand(["serve"], other, /Loading the demo company/, () => locker.end());
    assert.deepEqual([code, out], [0, ""], err);
    const { DATABASE_URL: url } = other;
    assert.deepEqual(await sql(url, "SELECT count(*)::int AS accounts FROM accounts"), [{ accounts: 0 }]);
  });

  test("a second signal stops the server immediately", async () => {
    const server = await startServer(env);
    const locker = new pg.Client({ connectionString: env.DATABASE_URL as string });
    await locker.connect();
    await locker.query("BEGIN; LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE");
    const answer = withToken(server.url, "x".repeat(112))
      .get("/people")
      .catch(() => "cut off");
    await until(() => isWaitedFor(locker, "tokens"));
    process.kill(server.pid, "SIGTERM");
    await until(() => server.text.err.includes("Stopping"));
    await pause(600); // npm forwards the first signal again; an earlier signal would count as that one
    const { code } = await server.end("SIGTERM");
    assert.equal(code, 143);
    await locker.end();
    assert.equal(await answer, "cut off");
  });
});
