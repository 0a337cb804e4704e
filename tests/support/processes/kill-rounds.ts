import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findRunningDatabase } from "../../../server/embedded/cluster/index.ts";
import { serverProcesses } from "../../../server/embedded/cluster/postmaster.ts";
import { createScratchFolder } from "../scratch-folder.ts";
import { until } from "../waiting.ts";

// kill -9 at any time loses no acknowledged write and leaves no partial one. The real server runs in a separate process on its own
// database with production settings.

const writers = 6;

type Server = { child: ChildProcess; base: string };
// biome-ignore lint/suspicious/noExplicitAny: whatever the server sent
type Answer = any;

/** A team's acknowledged writes, and the last one without a response. */
type Known = { id: number; name: string; remarks: string | null; acknowledged: string[]; pending: string | null };

/** Every other team and every other remark is sent with a key and repeated until a response arrives. */
const buildKey = (name: string): string | undefined => (/[02468]$/.test(name) ? `key-of-${name}` : undefined);

const countWrites = (known: readonly Known[]): number =>
  known.reduce((sum, { acknowledged }) => sum + 1 + acknowledged.length, 0);

// biome-ignore format: a table keeps its columns
const halfDone: [string, string][] = [
  ["a record without the line of its creation",   "SELECT t.id FROM teams t WHERE 1 <> (SELECT count(*) FROM audit_lines a WHERE a.audited = 'team' AND a.record_id = t.id AND a.action = 'create')"],
  ["a line without its record",                   "SELECT a.id FROM audit_lines a WHERE a.audited = 'team' AND NOT EXISTS (SELECT 1 FROM teams t WHERE t.id = a.record_id)"],
  ["a line without exactly one event",            "SELECT a.id FROM audit_lines a WHERE a.audited = 'team' AND 1 <> (SELECT count(*) FROM events e WHERE e.payload->>'audit_line_id' = a.id::text)"],
  ["an event without its line",                   "SELECT e.id FROM events e WHERE e.record_type = 'team' AND NOT EXISTS (SELECT 1 FROM audit_lines a WHERE a.id::text = e.payload->>'audit_line_id' AND a.record_id = e.record_id)"],
  ["a value that differs from its newest line",     "SELECT t.id FROM teams t WHERE t.remarks IS DISTINCT FROM (SELECT a.changes->'remarks'->>1 FROM audit_lines a WHERE a.audited = 'team' AND a.record_id = t.id ORDER BY a.id DESC LIMIT 1)"],
];

export type KillOptions = {
  /** the server's program for Node */
  program: string;
  rounds: number;
  /** acknowledged writes before the kill of a round */
  writesPerRound: number;
  random: () => number;
  say?: (line: string) => void;
};

export type KillResult = { kills: number; writes: number; repetitions: number };

export class KillRounds {
  private readonly options: KillOptions;
  private readonly data = realpathSync(createScratchFolder());
  private readonly postgres = join(this.data, "postgres");
  private readonly agent = new Agent({ keepAlive: true });
  private readonly env = {
    ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
    ...{ DATA_DIR: this.data, ENVIRONMENT: "production", PORT: "0", RATE_LIMIT: "0", RATE_BURST: "0" },
  };
  private token = "";
  private server: Server | null = null;
  private repetitions = 0;
  private kills = 0;

  constructor(options: KillOptions) {
    this.options = options;
  }

  async prepare(): Promise<void> {
    const person = ["--name", "Ada", "--email", "ada@acme.example", "--account", "acme"];
    await this.command("account", "create", "--id", "acme", "--name", "Acme");
    await this.command("person", "create", ...person, "--roles", "account_administrator");
    this.token = await this.command("token", "create", "--email", "ada@acme.example", "--account", "acme");
  }

  async end(): Promise<void> {
    this.agent.destroy();
    if (this.server !== null) await this.kill(this.server, 0);
    rmSync(this.data, { recursive: true, force: true });
  }

  async run(): Promise<KillResult> {
    const { rounds, writesPerRound, random, program, say } = this.options;
    const everything: Known[] = [];
    let before: Known[] = [];
    let unanswered: string[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % 7 === 3) {
        // Also kills a starting server: recovery and migration must survive interruptions.
        const starting = spawn(process.execPath, [program, "serve"], { env: this.env, stdio: "ignore" });
        await new Promise((moment) => setTimeout(moment, 100 + random() * 900));
        await this.kill({ child: starting, base: "" }, round);
      }
      this.server = await this.serve();
      const { base } = this.server;
      await this.repeat(base, before, unanswered, 4);
      everything.push(...before);
      await this.check(base, before);
      assert.ok((await this.checkTables()) >= everything.length);
      const known = Array.from({ length: writers }, (): Known[] => []);
      let ended = 0;
      unanswered = [];
      const writing = known.map((list, writer) =>
        this.write(base, round, writer, list, unanswered).finally(() => ended++),
      );
      // Kills in the middle of the writing, however long it takes to begin.
      await until(() => countWrites(known.flat()) > writesPerRound || ended === writers, { every: 5 });
      await new Promise((moment) => setTimeout(moment, random() * 500));
      await this.kill(this.server, round);
      this.server = null;
      await Promise.all(writing);
      before = known.flat();
      say?.(
        `round ${round + 1}: ${countWrites(everything) + countWrites(before)} writes, ${this.repetitions} repeated`,
      );
    }
    this.server = await this.serve();
    await this.repeat(this.server.base, before, unanswered, 100);
    everything.push(...before);
    assert.ok(this.repetitions > 0, "there were calls to repeat");
    await this.check(this.server.base, everything);
    assert.ok((await this.checkTables()) >= everything.length);
    return { kills: this.kills, writes: countWrites(everything), repetitions: this.repetitions };
  }

  private async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [this.options.program, ...args], { env: this.env });
    return stdout.trim();
  }

  private async serve(): Promise<Server> {
    const child = spawn(process.execPath, [this.options.program, "serve"], {
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const address = new Promise<string>((resolve, reject) => {
      const append = (chunk: Buffer) => {
        output += chunk;
        const found = /Steward is running at (http:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(`${found}/v1`);
      };
      child.stdout.on("data", append);
      child.stderr.on("data", append);
      child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
    });
    return { child, base: await address };
  }

  /** Kills the server, its database, or both, depending on the round. Only processes of our own data folder. */
  private async kill({ child }: Server, round: number): Promise<void> {
    this.kills++;
    const database = round % 3 === 2 ? [] : await serverProcesses(join(this.postgres, "cluster"));
    const exited = once(child, "exit");
    if (round % 3 === 0) child.kill("SIGKILL");
    for (const pid of database)
      try {
        process.kill(pid, "SIGKILL");
      } catch {} // it exited by itself when its postmaster died
    child.kill("SIGKILL");
    await exited;
  }

  /** Resolves with the complete response, or with null if the connection broke before. */
  private call(
    method: string,
    url: string,
    body?: object,
    key?: string,
  ): Promise<{ status: number; body: Answer } | null> {
    return new Promise((resolve) => {
      const headers = {
        ...{ Authorization: `Bearer ${this.token}`, account: "acme", "Content-Type": "application/json" },
        ...(key === undefined ? {} : { "Idempotency-Key": key }),
      };
      const sent = request(url, { method, agent: this.agent, headers }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("error", () => resolve(null));
        answer.on("close", () => {
          if (!answer.complete) resolve(null);
        });
        answer.on("end", () =>
          resolve(answer.complete ? { status: answer.statusCode ?? 0, body: JSON.parse(text) } : null),
        );
      });
      sent.on("error", () => resolve(null));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  private async write(
    base: string,
    round: number,
    writer: number,
    known: Known[],
    unanswered: string[],
  ): Promise<void> {
    for (let n = 0; ; n++) {
      const last = known.at(-1);
      if (n % 3 === 0 || last === undefined) {
        const name = `${round}-${writer}-${n}`;
        const answer = await this.call("POST", `${base}/teams`, { name }, buildKey(name));
        if ((answer === null || answer.status >= 500) && buildKey(name) !== undefined) unanswered.push(name);
        if (answer === null) return;
        if (answer.status >= 500) continue; // perhaps busy, perhaps dying: the write isn't acknowledged
        assert.equal(answer.status, 201, JSON.stringify(answer));
        known.push({ id: answer.body.id, name, remarks: null, acknowledged: [], pending: null });
      } else {
        last.pending = `remark ${n}`;
        const answer = await this.call(
          "PATCH",
          `${base}/teams/${last.id}`,
          { remarks: last.pending },
          buildKey(`${last.id}-${n}`),
        );
        if (answer === null || answer.status >= 500) return;
        assert.equal(answer.status, 200, JSON.stringify(answer));
        last.acknowledged.push(last.pending);
        last.remarks = last.pending;
        last.pending = null;
      }
    }
  }

  /** Repeats a call until it succeeds: the server may be busy or still handling the same call. */
  private async insist(...args: Parameters<KillRounds["call"]>): Promise<Answer> {
    let answer = await this.call(...args);
    while (answer === null || answer.status >= 500 || answer.status === 409) {
      await pause(20);
      answer = await this.call(...args);
    }
    assert.ok(answer.status === 200 || answer.status === 201, JSON.stringify(answer));
    return answer.body;
  }

  /** CV34: unacknowledged calls with a key are repeated several times in parallel, and take effect once. */
  private async repeat(base: string, known: Known[], unanswered: readonly string[], times: number): Promise<void> {
    for (const name of unanswered) {
      this.repetitions++;
      const again = () => this.insist("POST", `${base}/teams`, { name }, buildKey(name));
      const answers = await Promise.all(Array.from({ length: times }, again));
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
      known.push({ id: answers[0].id, name, remarks: null, acknowledged: [], pending: null });
    }
    for (const one of known) {
      const key = one.pending === null ? undefined : buildKey(`${one.id}-${one.pending.slice("remark ".length)}`);
      if (key === undefined) continue;
      this.repetitions++;
      const again = () => this.insist("PATCH", `${base}/teams/${one.id}`, { remarks: one.pending }, key);
      await Promise.all(Array.from({ length: times }, again));
      one.acknowledged.push(one.pending as string);
      one.remarks = one.pending;
      one.pending = null;
    }
  }

  /** On a busy machine, a connection may take longer than the server's timeout. A broken one says nothing about the record. */
  private async read(url: string): ReturnType<KillRounds["call"]> {
    let answer = await this.call("GET", url);
    for (let tries = 0; tries < 500 && (answer === null || answer.status === 503); tries++) {
      await pause(20);
      answer = await this.call("GET", url);
    }
    return answer;
  }

  /** Every acknowledged write is stored with its audit line. */
  private async check(base: string, known: readonly Known[]): Promise<void> {
    const rest = [...known];
    const reader = async () => {
      for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
        const record = await this.read(`${base}/teams/${one.id}`);
        assert.equal(record?.status, 200, `team ${one.name} is lost`);
        assert.equal(record.body.name, one.name);
        const trail = (await this.read(`${base}/teams/${one.id}/audit?per_page=100`))?.body as Answer[];
        const of = (action: string) => trail.filter((line) => line.action === action);
        assert.equal(of("create").length, 1, `team ${one.name} has ${of("create").length} lines of its creation`);
        const values = of("update").map((line) => line.changes.remarks[1]);
        // The last change may be stored without its acknowledgment. Nothing else may differ.
        const unacknowledged =
          values.length === one.acknowledged.length + 1 && one.pending !== null ? [one.pending] : [];
        assert.deepEqual(values.reverse(), [...one.acknowledged, ...unacknowledged], `updates of ${one.name}`);
        assert.equal(record.body.remarks, unacknowledged[0] ?? one.remarks, `the last update of ${one.name} is lost`);
      }
    };
    await Promise.all(Array.from({ length: writers }, reader));
  }

  private async checkTables(): Promise<number> {
    const client = new pg.Client({ connectionString: (await findRunningDatabase(this.postgres)) as string });
    await client.connect();
    try {
      const { rows } = await client.query("SHOW fsync");
      assert.equal(rows[0].fsync, "on");
      // Rolled back: with unexpected indexes, the next start would compare the whole schema, which takes seconds.
      await client.query("BEGIN");
      await client.query("CREATE INDEX events_of_line ON events ((payload->>'audit_line_id'))");
      await client.query("CREATE INDEX lines_of_record ON audit_lines (audited, record_id)");
      for (const [what, sql] of halfDone) assert.deepEqual((await client.query(sql)).rows, [], what);
      const teams = Number((await client.query("SELECT count(*) FROM teams")).rows[0].count);
      await client.query("ROLLBACK");
      return teams;
    } finally {
      await client.end();
    }
  }
}
