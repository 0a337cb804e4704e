import { toTimestamp } from "../base/clock.ts";
import { statement } from "../database/database.ts";
import type { Engine } from "../engine/engine.ts";

const selectTurned = statement(
  `SELECT id, account_id FROM broadcasts WHERE account_id = ANY($1::text[]) AND NOT disabled
  AND ((start_at > $2 AND start_at <= $3) OR (end_at > $2 AND end_at <= $3))`,
);

/** Broadcasts begin and end by the clock, without a change that a stream could pass on. */
export class BroadcastSchedule {
  private readonly engine: Engine;
  private since: string;

  constructor(engine: Engine) {
    this.engine = engine;
    this.since = toTimestamp(engine.clock.now());
  }

  /** The first page listens: what happened before, it has loaded. */
  begin(): void {
    this.since = toTimestamp(this.engine.clock.now());
  }

  /** Those that began or ended since the last look. */
  async loadTurned(accounts: readonly string[]): Promise<{ id: number; account: string }[]> {
    const [since, now] = [this.since, toTimestamp(this.engine.clock.now())];
    this.since = now;
    if (since === now) return [];
    const rows = await this.engine.database.read(selectTurned, [accounts, since, now]);
    return rows.map(([id, account]) => ({ id: Number(id), account: account as string }));
  }
}
