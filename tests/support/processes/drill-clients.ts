import assert from "node:assert/strict";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { callWithAgent } from "../clients/agent-call.ts";
import { tokenFor } from "../seed.ts";

// Clients of a drill. Each calls any live process, repeats unacknowledged calls elsewhere with the same key, and remembers
// acknowledged writes.

export type LiveServer = { base: string };

/** Acknowledged work, which must exist in the end. */
export type KnownWork = {
  /** by team ID: the remarks in order */
  teams: Map<number, string[]>;
  /** by request ID: the notes that a rule replies to */
  notes: Map<number, string[]>;
  /** requests that wait for a timer */
  waiting: Set<number>;
  /** by import token: the names in its rows */
  imports: Map<string, string[]>;
  /** rows of unacknowledged uploads: either none or all of them exist */
  unacknowledged: string[][];
};

type Options = {
  count: number;
  importRows: number;
  /** milliseconds between a client's writes */
  every: number;
  random: () => number;
  /** returns null if none is alive */
  pickServer(): LiveServer | null;
};

type Answer = { status: number; body: Record<string, unknown> };
const account = "widget-it";
/** After this many changes of a team, its client creates another one. */
const changesPerTeam = 40;
const notesPerRequest = 5;
export const answerPrefix = "answer to ";

export class DrillClients {
  readonly known: KnownWork = {
    ...{ teams: new Map(), notes: new Map(), waiting: new Set(), imports: new Map(), unacknowledged: [] },
  };
  writes = 0;
  private readonly options: Options;
  private readonly agent = new Agent({ keepAlive: true });
  private isStopped = false;
  private calls = 0;

  constructor(options: Options) {
    this.options = options;
  }

  describe(): string {
    const { imports, waiting, notes } = this.known;
    return `${this.writes} writes, ${imports.size} imports, ${waiting.size} timers, ${[...notes.values()].flat().length} notes with rules`;
  }

  async createRule(): Promise<void> {
    await this.insist("POST", "/automation_rules", {
      ...{ name: "Answer", generic: "request", trigger: "on note added", condition: "note.medium = default" },
      actions: `a1: add internal note '${answerPrefix}{{note.text}}'`,
    });
  }

  /** Runs until `stop` is called and pending calls are acknowledged. */
  async write(): Promise<void> {
    const writers = Array.from({ length: this.options.count }, (_, writer) => this.changeTeams(`writer ${writer}`));
    await Promise.all([...writers, this.addNotes(), this.import()]).finally(() => this.stop());
    this.agent.destroy();
  }

  stop(): void {
    this.isStopped = true;
  }

  private async changeTeams(name: string): Promise<void> {
    let remarks: string[] = [];
    let team = 0;
    let next = performance.now() + this.options.random() * this.options.every;
    for (let number = 0; !this.isStopped; number++) {
      await pause(Math.max(0, next - performance.now()));
      next = Math.max(next + this.options.every, performance.now() - this.options.every);
      const text = `${name}, ${number}`;
      if (number % changesPerTeam === 0) {
        team = (await this.insist("POST", "/teams", { name: text })).id as number;
        remarks = [];
        this.known.teams.set(team, remarks);
      } else {
        await this.insist("PATCH", `/teams/${team}`, { remarks: text });
        remarks.push(text);
      }
      this.writes++;
    }
  }

  /** Creates requests with notes that a rule replies to. Each request finally waits for a timer. */
  private async addNotes(): Promise<void> {
    for (let number = 0; !this.isStopped; number++) {
      const subject = `request ${number}`;
      const id = (await this.insist("POST", "/requests", { subject, category: "incident", team: 1 })).id as number;
      const texts: string[] = [];
      this.known.notes.set(id, texts);
      for (let note = 0; note < notesPerRequest; note++) {
        const text = `note ${note} of ${subject}`;
        await this.insist("PATCH", `/requests/${id}`, { note: text });
        texts.push(text);
      }
      await this.letWait(id);
      this.known.waiting.add(id);
      await pause(this.options.every);
    }
  }

  /** With restarting processes, a call may run after its moment has passed. It then uses a later moment. */
  private async letWait(id: number): Promise<void> {
    for (;;) {
      const until = new Date(Date.now() + 1000 + this.options.random() * 4000).toISOString();
      const body = { status: "waiting_for", waiting_until: until };
      const { status, body: responseBody } = await this.repeat("PATCH", `/requests/${id}`, body);
      if (status === 200) return;
      assert.match(`${status} ${JSON.stringify(responseBody)}`, /^422 .*must be in the future/);
    }
  }

  private async import(): Promise<void> {
    for (let number = 0; !this.isStopped; number++) {
      const names = Array.from({ length: this.options.importRows }, (_, row) => `Import ${number}, row ${row}`);
      const token = await this.upload(names);
      if (token === null) {
        this.known.unacknowledged.push(names);
        continue;
      }
      this.known.imports.set(token, names);
      for (let state = ""; !["done", "error"].includes(state) && !this.isStopped; await pause(200)) {
        const answer = await this.call("GET", `/import/${token}`, undefined, {});
        state = answer?.status === 200 ? (answer.body.state as string) : "";
      }
    }
  }

  private async upload(names: readonly string[]): Promise<string | null> {
    const boundary = "drill-of-processes";
    const part = (disposition: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
    const quote = (name: string) => `"${name}"`;
    const file = ["Name", ...names.map(quote)].join("\n");
    const body = `${part('name="type"', "sites")}${part('name="file"; filename="sites.csv"', `${file}\n`)}--${boundary}--\r\n`;
    const answer = await this.call("POST", "/import", body, {
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
    });
    if (answer === null || answer.status >= 500) return null;
    assert.ok(typeof answer.body.token === "string", `${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.token;
  }

  private async insist(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const { status, body: responseBody } = await this.repeat(method, path, body);
    assert.ok(status === 200 || status === 201, `${method} ${path}: ${status} ${JSON.stringify(responseBody)}`);
    return responseBody;
  }

  /** Repeats a call with its key until a process accepts or refuses it. */
  private async repeat(method: string, path: string, body: object): Promise<Answer> {
    const key = { "Idempotency-Key": `call-${++this.calls}`, "Content-Type": "application/json" };
    for (;;) {
      const answer = await this.call(method, path, JSON.stringify(body), key);
      // 409: another process is still handling the first attempt.
      if (answer !== null && answer.status < 500 && answer.status !== 409) return answer;
      await pause(50);
    }
  }

  /** Returns null if the response is missing or incomplete. */
  private async call(
    method: string,
    path: string,
    body: string | undefined,
    own: Record<string, string>,
  ): Promise<Answer | null> {
    const server = this.options.pickServer();
    if (server === null) return null;
    const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, account, ...own };
    const answer = await callWithAgent(this.agent, `${server.base}${path}`, { method, headers, body });
    return answer === null ? null : { status: answer.status, body: parse(answer.text) };
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
