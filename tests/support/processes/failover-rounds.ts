import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createScratchFolder } from "../scratch-folder.ts";
import { longestReliabilityTest, until } from "../waiting.ts";
import { Receiver } from "../webhooks/receiver.ts";
import { DatabasePair, withClient } from "./database-pair.ts";
import { FailoverWriter, type WriterServer } from "./failover-writer.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

// The primary of a synchronous pair dies under load, and the standby takes over. The server continues without a restart, no
// acknowledged write is lost, and every event is delivered in the order of its record's changes.

export type FailoverOptions = {
  /** the server's program for Node */
  program: string;
  rounds: number;
  /** the target rate of all clients together, in writes per second */
  writesPerSecond: number;
  /** acknowledged writes before the kill of a round, and after the promotion */
  writesPerRound: number;
  /** milliseconds from the kill to the promotion, because operators need time to notice */
  noticeAfter: number;
  /** whether the failover time is checked, too; not on a busy machine */
  isTimed: boolean;
  random: () => number;
  say?: (line: string) => void;
  /** returns the processor time of a process and its children in milliseconds, for the report */
  readProcessorTime?: (pid: number) => number;
};

export type FailoverResult = {
  rounds: number;
  acknowledged: number;
  events: number;
  /** the longest time of all rounds from the kill to an acknowledged call that started after it, in seconds */
  longestGap: number;
  /** the most refusals of one client in a failover */
  mostRefusals: number;
  /** the average rate of acknowledged writes per second outside failovers */
  rate: number;
  /** processor time per write in milliseconds: the server's, this process's, and all including the databases' */
  processorTime: { server: number; clients: number; all: number };
};

/** Enough clients that one slow response doesn't lower the rate. */
const clients = 40;
/** A client waits as long as Retry-After says, and must succeed on the first retry. */
const maxGapSeconds = 10;

export class FailoverRounds {
  private readonly options: FailoverOptions;
  private readonly folder = realpathSync(createScratchFolder());
  readonly pair = new DatabasePair(this.folder);
  private readonly receiver = new Receiver();
  private readonly agent = new Agent({ keepAlive: true });
  private serverProcess: ServerProcess | null = null;
  /** the server to which clients write, after `prepare` */
  server: WriterServer | null = null;
  private writers: FailoverWriter[] = [];
  private readonly rates: number[] = [];
  private readonly result: FailoverResult;

  constructor(options: FailoverOptions) {
    this.options = options;
    this.result = {
      rounds: 0,
      acknowledged: 0,
      events: 0,
      longestGap: 0,
      mostRefusals: 0,
      rate: 0,
      ...{ processorTime: { server: 0, clients: 0, all: 0 } },
    };
  }

  async prepare(): Promise<void> {
    await this.pair.start();
    await this.receiver.listen();
    mkdirSync(join(this.folder, "data"), { recursive: true });
    const person = ["--name", "Ada", "--email", "ada@acme.example", "--account", "acme"];
    await this.command("account", "create", "--id", "acme", "--name", "Acme");
    await this.command("person", "create", ...person, "--roles", "account_administrator");
    const token = await this.command("token", "create", "--email", "ada@acme.example", "--account", "acme");
    await withClient(this.pair.primaryUrl, (client) =>
      client.query(
        "INSERT INTO webhooks (account_id, name, event, uri, receiver, verified, created_at, updated_at) SELECT 'acme', event, event, $1, $2, true, now(), now() FROM unnest($3::text[]) event",
        [`${this.receiver.url}/failover`, this.receiver.url, ["team.create", "team.update"]],
      ),
    );
    this.serverProcess = await startServerProcess([process.execPath, this.options.program, "serve"], this.env);
    this.server = { base: this.serverProcess.base, token, account: "acme", agent: this.agent };
  }

  async end(): Promise<void> {
    for (const writer of this.writers) writer.stop();
    this.agent.destroy();
    await this.serverProcess?.kill();
    await this.receiver.close();
    await this.pair.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async run(): Promise<FailoverResult> {
    const { rounds, writesPerSecond, isTimed } = this.options;
    const server = this.server as WriterServer;
    const every = (clients * 1000) / writesPerSecond;
    this.writers = Array.from({ length: clients }, (_, index) => new FailoverWriter(server, `writer ${index}`, every));
    const writing = Promise.all(this.writers.map((writer) => writer.write()));
    const failing = Promise.race([writing, this.watchServer()]); // a violation ends the run immediately
    failing.catch(() => {});
    // A server's first calls take longer and would lower the checked rate.
    if (isTimed) await Promise.race([until(() => this.countAcknowledged() >= 3 * writesPerSecond), failing]);
    for (let round = 1; round <= rounds; round++) await Promise.race([this.runRound(round), failing]);
    for (const writer of this.writers) writer.stop();
    await writing;
    this.result.rounds = rounds;
    this.result.acknowledged = this.countAcknowledged();
    this.result.rate = this.rates.reduce((sum, rate) => sum + rate, 0) / rounds;
    await this.checkEverything();
    return this.result;
  }

  /** Starts to measure the processor time of writes; the returned function adds it to the results. */
  private beginMeasuring(): () => void {
    const read = this.options.readProcessorTime;
    const pid = this.serverProcess?.child.pid;
    if (read === undefined || pid === undefined) return () => {};
    const take = () => {
      const { user, system } = process.cpuUsage();
      return { server: read(pid), clients: (user + system) / 1000, all: read(process.pid) };
    };
    const [before, writes] = [take(), this.countAcknowledged()];
    return () => {
      const [after, made] = [take(), this.countAcknowledged() - writes];
      for (const part of ["server", "clients", "all"] as const)
        this.result.processorTime[part] += (after[part] - before[part]) / made / this.options.rounds;
    };
  }

  private async runRound(round: number): Promise<void> {
    const { noticeAfter, isTimed, random, writesPerRound, say } = this.options;
    const before = this.countAcknowledged();
    const began = performance.now();
    const endMeasuring = this.beginMeasuring();
    await until(() => this.countAcknowledged() >= before + writesPerRound, { longest: longestReliabilityTest });
    await pause(random() * 300);
    for (const writer of this.writers) writer.beginRound();
    const killedAt = performance.now();
    const rate = ((this.countAcknowledged() - before) * 1000) / (killedAt - began);
    this.rates.push(rate);
    endMeasuring();
    await this.pair.killPrimary();
    for (const writer of this.writers) writer.markDeath();
    await pause(noticeAfter);
    await this.pair.promote();
    const promoted = (performance.now() - killedAt) / 1000;
    await until(() => this.writers.some(({ resumedAt }) => resumedAt !== null), { every: 5 });
    const gap = (Math.min(...this.writers.map(({ resumedAt }) => resumedAt ?? Infinity)) - killedAt) / 1000;
    await until(() => this.writers.every(({ resumedAt }) => resumedAt !== null), { longest: longestReliabilityTest });
    await this.waitForReadiness(200);
    const refusals = Math.max(...this.writers.map((writer) => writer.refusals));
    this.result.longestGap = Math.max(this.result.longestGap, gap);
    this.result.mostRefusals = Math.max(this.result.mostRefusals, refusals);
    await this.checkWrites();
    const rebuiltFrom = performance.now();
    await this.pair.addStandby();
    const rebuilt = (performance.now() - rebuiltFrom) / 1000;
    say?.(
      `round ${round}: ${this.countAcknowledged()} acknowledged, ${Math.round(rate)} a second before the kill, promoted after ${promoted.toFixed(1)} s, writes again after ${gap.toFixed(1)} s, at most ${refusals} refusals of a client, standby rebuilt in ${rebuilt.toFixed(1)} s`,
    );
    if (!isTimed) return;
    assert.ok(gap <= maxGapSeconds, `writes were accepted again only after ${gap.toFixed(1)} s`);
    assert.ok(refusals <= 1, `a client was refused ${refusals} times`);
  }

  private countAcknowledged(): number {
    return this.writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  async waitForReadiness(status: number): Promise<void> {
    const url = (this.server as WriterServer).base.replace(/\/v1$/, "/health/ready");
    await until(async () => (await fetch(url)).status === status, {
      what: () => `/health/ready says ${status}`,
      every: 50,
    });
  }

  /** Every acknowledged write is stored once, in its client's order. */
  private async checkWrites(): Promise<void> {
    const known = new Map(this.writers.flatMap((writer) => writer.listTeams()));
    const { rows } = await withClient(this.pair.primaryUrl, (client) =>
      client.query<{ team: number; remarks: string[] }>(
        `SELECT record_id AS team, array_agg(changes->'remarks'->>1 ORDER BY id) FILTER (WHERE action = 'update') AS remarks
         FROM audit_lines WHERE audited = 'team' GROUP BY record_id`,
      ),
    );
    const stored = new Map(rows.map(({ team, remarks }) => [team, remarks ?? []]));
    for (const [team, { remarks, pending }] of known) {
      const found = stored.get(team);
      assert.ok(found !== undefined, `team ${team} was acknowledged and is lost`);
      // The statement doesn't see writes acknowledged after it ran, and a pending write may be stored already.
      const wanted = remarks.slice(0, found.length);
      assert.deepEqual(found.slice(0, remarks.length), wanted, `team ${team}`);
      assert.ok(
        found.length <= remarks.length + (pending ? 1 : 0),
        `team ${team} has ${found.length - remarks.length} writes too many`,
      );
    }
  }

  /** At the end, without running writes: checks all writes, and all events with their deliveries. */
  private async checkEverything(): Promise<void> {
    const lines = await withClient(this.pair.primaryUrl, async (client) => {
      const { rows } = await client.query<{ team: number; line: number; remarks: string | null; events: number }>(
        `SELECT a.record_id AS team, a.id::integer AS line, a.changes->'remarks'->>1 AS remarks, count(e.id)::integer AS events
         FROM audit_lines a LEFT JOIN events e ON (e.payload->>'audit_line_id')::bigint = a.id AND e.record_type = 'team'
         WHERE a.audited = 'team' GROUP BY a.id, a.account_id ORDER BY a.id`,
      );
      return rows;
    });
    for (const { line, events } of lines) assert.equal(events, 1, `audit line ${line} has ${events} events`);
    for (const [team, { remarks }] of this.writers.flatMap((writer) => writer.listTeams()))
      assert.deepEqual(
        lines.filter((line) => line.team === team).flatMap((line) => line.remarks ?? []),
        remarks,
        `team ${team}`,
      );
    const wanted = new Set(lines.map(({ line }) => line));
    const collect = () => new Set(this.receiver.messages.map(({ body }) => body.payload.audit_line_id as number));
    await until(() => collect().size >= wanted.size, {
      what: () => `${wanted.size - collect().size} of ${wanted.size} events are lost`,
      longest: longestReliabilityTest,
      every: 200,
    });
    assert.deepEqual(collect(), wanted);
    this.checkOrder();
    this.result.events = wanted.size;
  }

  /** A message is repeated if its response couldn't be recorded; the first arrivals are in order. */
  private checkOrder(): void {
    const arrivals = new Map<string, Set<number>>();
    for (const { body } of this.receiver.messages) {
      const key = `${body.event} of team ${body.object_id}`; // every event has a separate webhook
      const known = arrivals.get(key) ?? new Set<number>();
      arrivals.set(key, known.add(body.payload.audit_line_id));
    }
    for (const [key, lines] of arrivals)
      assert.deepEqual(
        [...lines],
        [...lines].sort((one, other) => one - other),
        `messages: ${key}`,
      );
  }

  private get env(): Record<string, string | undefined> {
    return {
      ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATA_DIR: join(this.folder, "data"), PORT: "0" },
      ...{ ENVIRONMENT: "production", RATE_LIMIT: "0", RATE_BURST: "0", WEBHOOK_ALLOW: "127.0.0.0/8" },
      DATABASE_URL: this.pair.url,
    };
  }

  private async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [this.options.program, ...args], { env: this.env });
    return stdout.trim();
  }

  /** Never resolves, and rejects if the server dies: it must survive everything. */
  private async watchServer(): Promise<never> {
    const [code, signal] = await once((this.serverProcess as ServerProcess).child, "exit");
    throw new Error(`the server ended: ${code ?? signal}`);
  }
}
