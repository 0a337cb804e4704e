import assert from "node:assert/strict";
import { type Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

// A client that writes at a steady pace, obeys Retry-After, and repeats a call with its key until it is acknowledged. It
// remembers acknowledged writes.

export type WriterServer = { base: string; token: string; account: string; agent: Agent };

/** A client's knowledge of a team: the acknowledged remarks, and whether another one is pending. */
export type KnownTeam = { remarks: string[]; pending: boolean };

type Answer = { status: number; retryAfter: number; body: { id?: number } };

/** After this many changes of a team, the client creates another one. */
const changesPerTeam = 40;

/** A client catches up on writes missed during a short delay, but not on those missed during a failover. */
const longestBacklog = 1000;

export class FailoverWriter {
  acknowledged = 0;
  /** this round's refusals */
  refusals = 0;
  /** when the first call that started after the primary's death was acknowledged */
  resumedAt: number | null = null;
  private diedAt = Number.POSITIVE_INFINITY;
  private readonly server: WriterServer;
  private readonly name: string;
  private readonly every: number;
  private readonly teams = new Map<number, KnownTeam>();
  private stopped = false;

  /** `every`: milliseconds from one call to the next */
  constructor(server: WriterServer, name: string, every: number) {
    this.server = server;
    this.name = name;
    this.every = every;
  }

  listTeams(): (readonly [number, KnownTeam])[] {
    return [...this.teams];
  }

  /** Call it before the primary is killed. */
  beginRound(): void {
    this.refusals = 0;
    this.resumedAt = null;
    this.diedAt = Number.POSITIVE_INFINITY;
  }

  /** Call it after the primary was killed. */
  markDeath(): void {
    this.diedAt = performance.now();
  }

  stop(): void {
    this.stopped = true;
  }

  /** Runs until `stop` is called and the pending call is acknowledged. */
  async write(): Promise<void> {
    let team: number | null = null;
    let next = performance.now() + Math.random() * this.every;
    for (let number = 0; !this.stopped; number++) {
      await pause(Math.max(0, next - performance.now()));
      next = Math.max(next + this.every, performance.now() - longestBacklog);
      const name = `${this.name}, ${number}`;
      if (team === null || number % changesPerTeam === 0) {
        team = (await this.insist("POST", "/teams", { name }, name)).body.id as number;
        this.teams.set(team, { remarks: [], pending: false });
      } else {
        const known = this.teams.get(team) as KnownTeam;
        known.pending = true;
        await this.insist("PATCH", `/teams/${team}`, { remarks: name }, name);
        known.remarks.push(name);
        known.pending = false;
      }
      this.acknowledged++;
    }
  }

  private async insist(method: string, path: string, body: object, key: string): Promise<Answer> {
    for (;;) {
      const began = performance.now();
      const answer = await this.call(method, path, body, key);
      if (answer.status === 200 || answer.status === 201) {
        if (began > this.diedAt) this.resumedAt ??= performance.now();
        return answer;
      }
      // 409: the server is still handling the first attempt.
      assert.ok(
        [409, 503].includes(answer.status),
        `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
      assert.ok(answer.retryAfter > 0, `${answer.status} without Retry-After`);
      if (answer.status === 503) this.refusals++;
      await pause(answer.retryAfter * 1000);
    }
  }

  private call(method: string, path: string, body: object, key: string): Promise<Answer> {
    const { base, token, account, agent } = this.server;
    const headers = {
      ...{ Authorization: `Bearer ${token}`, account, "Content-Type": "application/json" },
      "Idempotency-Key": key.replaceAll(/\W+/g, "-"),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${base}${path}`, { method, agent, headers }, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        reply.on("error", reject);
        reply.on("end", () =>
          resolve({
            status: reply.statusCode ?? 0,
            retryAfter: Number(reply.headers["retry-after"] ?? 0),
            body: JSON.parse(text),
          }),
        );
      });
      sent.on("error", reject); // the server stays alive, so no call is lost
      sent.end(JSON.stringify(body));
    });
  }
}
