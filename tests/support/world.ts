import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import type { TypeRules } from "../../server/engine/rules.ts";
import { assembleService, type Service } from "../../server/service.ts";
import { CachedWrites } from "./cached-writes.ts";
import { atFileEnd } from "./cleanup.ts";
import { type Client, createClient } from "./clients/json-client.ts";
import { databaseNamed } from "./database.ts";
import { specimenRules, specimens } from "./records/specimen.ts";
import { people, type Role, startTime, tokenFor } from "./seed.ts";

export { type Client, createClient, type Reply } from "./clients/json-client.ts";

/** A clock that doesn't move until a test moves it. */
export class MovableClock {
  private moment: Date;
  private service: Service | null = null;
  constructor(text: string) {
    this.moment = new Date(text);
  }
  now = (): Date => new Date(this.moment);
  attach(service: Service): void {
    this.service = service;
  }
  /** Moves the time and runs everything that is due by then. */
  async moveTo(text: string): Promise<void> {
    this.moment = new Date(text);
    await this.service?.worker.runDue();
    await this.service?.scimWorker.runDue();
    await this.service?.notificationDispatcher.runDue();
    await this.service?.mailWorker.runDue();
    await this.service?.webhookDispatcher.runDue();
  }
  async pass(seconds: number): Promise<void> {
    await this.moveTo(new Date(this.moment.getTime() + seconds * 1000).toISOString());
  }
}

export type World = {
  url: string;
  /** {base_url} */
  base: string;
  databaseUrl: string;
  clock: MovableClock;
  service: Service;
  log: string[];
  as(role: Role, headers?: Record<string, string>): Client;
  /** without credentials */
  nobody: Client;
  withToken(token: string, headers?: Record<string, string>): Client;
  /** returns once the server has dropped its cached rows of the written tables */
  sql<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
};

type WorldOptions = {
  env?: Record<string, string>;
  types?: readonly RecordType[];
  rules?: Record<string, TypeRules>;
  account?: string;
  nameServers?: readonly string[];
  /** returns the address under which the server reaches its database */
  relay?: (databaseUrl: string) => Promise<string>;
  /** an instance without an account */
  empty?: true;
  /** for stories about concurrent reads: as many connections as in production */
  connections?: "as served";
};

/** A test's statements mostly run one after another, and PostgreSQL plans each one per connection (D-730). */
const fewConnections = { readers: 2, writers: 8, lists: 1 };

/** The logged errors, except for connections that time out because the machine is busy. */
export const loggedErrors = (log: readonly string[]): string[] =>
  log.filter((line) => {
    const { level, error } = JSON.parse(line) as { level: string; error?: string };
    return level === "error" && error !== "the database is away";
  });

/** Starts a separate server on a separate database. Both end with the test file. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const server = inject("databaseUrl");
  const name = `w_${randomBytes(8).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const template = options.empty ? "template_empty" : "template_world";
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const databaseUrl = databaseNamed(server, name);
  const data = mkdtempSync(join(tmpdir(), "steward-data-"));
  const configuration = {
    ...readConfiguration({ DATA_DIR: data, RATE_LIMIT: "0", RATE_BURST: "0", ...options.env }),
    port: 0,
  };
  const clock = new MovableClock(startTime);
  const log: string[] = [];
  const service = await assembleService({
    configuration,
    databaseUrl: (await options.relay?.(databaseUrl)) ?? databaseUrl,
    clock,
    log: createJsonLog((line) => log.push(line)),
    checksAnswers: true,
    types: options.types ?? (options.empty ? [] : specimens),
    rules: { ...(options.empty ? {} : specimenRules), ...options.rules },
    ...(options.connections === "as served" ? {} : { connections: fewConnections }),
    ...(options.nameServers === undefined ? {} : { nameServers: options.nameServers }),
  });
  clock.attach(service);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on("error", () => {}); // the database is dropped at the end
  const statements = new CachedWrites(pool, service.identities.pgListener);
  const url = `http://127.0.0.1:${await service.start()}`;
  atFileEnd(async () => {
    await service.stop();
    await pool.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
    rmSync(data, { recursive: true, force: true });
  });
  const base = `${url}/v1`;
  const withToken = (token: string, headers: Record<string, string> = {}) =>
    createClient(base, { Authorization: `Bearer ${token}`, ...headers });
  return {
    url,
    base,
    databaseUrl,
    clock,
    service,
    log,
    withToken,
    nobody: createClient(base, {}),
    as: (role, headers = {}) => withToken(tokenFor(role), { account: defaultAccount(role), ...headers }),
    sql: <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => statements.query<T>(text, values),
  };
}

const defaultAccount = (role: Role): string =>
  role === "requester" || role === "keyContact" ? "widget-it" : people[role].account;
