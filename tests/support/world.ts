import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { request } from "undici";
import { inject } from "vitest";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import type { TypeRules } from "../../server/engine/rules.ts";
import { assembleService, type Service } from "../../server/service.ts";
import { atFileEnd } from "./cleanup.ts";
import { databaseNamed } from "./database.ts";
import { specimenRules, specimens } from "./records/specimen.ts";
import { people, type Role, startTime, tokenFor } from "./seed.ts";

/** A clock that stands still until a test moves it. */
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
  /** Moves time and lets everything happen that is due by then. */
  async moveTo(text: string): Promise<void> {
    this.moment = new Date(text);
    await this.service?.worker.runDue();
    await this.service?.notificationDispatcher.runDue();
    await this.service?.mailWorker.runDue();
    await this.service?.webhookDispatcher.runDue();
  }
  async pass(seconds: number): Promise<void> {
    await this.moveTo(new Date(this.moment.getTime() + seconds * 1000).toISOString());
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; tests look at single members
export type Reply = { status: number; headers: Headers; body: any; text: string };

export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  delete(path: string, headers?: Record<string, string>): Promise<Reply>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
};

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
  sql<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
};

type WorldOptions = {
  env?: Record<string, string>;
  types?: readonly RecordType[];
  rules?: Record<string, TypeRules>;
  account?: string;
  nameServers?: readonly string[];
};

/** What went wrong, but for a machine that is too busy to open a connection to the database in time. */
export const loggedErrors = (log: readonly string[]): string[] =>
  log.filter((line) => {
    const { level, error } = JSON.parse(line) as { level: string; error?: string };
    return level === "error" && error !== "the database is away";
  });

/** A server of its own on a database of its own, gone when the test file ends. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const server = inject("databaseUrl");
  const name = `w_${randomBytes(8).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template_world STRATEGY FILE_COPY`);
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
    databaseUrl,
    clock,
    log: createJsonLog((line) => log.push(line)),
    types: options.types ?? specimens,
    rules: { ...specimenRules, ...options.rules },
    ...(options.nameServers === undefined ? {} : { nameServers: options.nameServers }),
  });
  clock.attach(service);
  const url = `http://127.0.0.1:${await service.start()}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on("error", () => {}); // the database is dropped at the end
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
    sql: async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<T>(text, values)).rows,
  };
}

const defaultAccount = (role: Role): string =>
  role === "requester" || role === "keyContact" ? "widget-it" : people[role].account;

type Sent = { status: number; fields: [string, string][]; text: string };
type Init = { method: string; headers: Record<string, string>; body?: string };

async function sendForm(url: string, init: Init): Promise<Sent> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  return { status: response.status, fields: [...response.headers], text: await response.text() };
}

async function sendPlain(url: string, init: Init): Promise<Sent> {
  const { statusCode, headers, body } = await request(url, init as Parameters<typeof request>[1]);
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  return { status: statusCode, fields, text: await body.text() };
}

export function createClient(base: string, standing: Record<string, string>): Client {
  const send: Client["send"] = async (method, path, body, headers = {}) => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
    const typed: Record<string, string> =
      body === undefined || body instanceof FormData ? {} : { "Content-Type": "application/json" };
    const url = path.startsWith("http") ? path : base + path;
    const init = {
      method,
      headers: { ...typed, ...standing, ...headers },
      ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as string }),
    };
    // Half of what `fetch` costs, and there are a hundred thousand calls; it takes no forms.
    const { status, fields, text } = await (body instanceof FormData ? sendForm(url, init) : sendPlain(url, init));
    const replyHeaders = new Headers(fields);
    const isJson = replyHeaders.get("content-type")?.startsWith("application/json") && text !== "";
    return { status, headers: replyHeaders, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    patch: (path, body, headers) => send("PATCH", path, body, headers),
    put: (path, body, headers) => send("PUT", path, body, headers),
    delete: (path, headers) => send("DELETE", path, undefined, headers),
  };
}
