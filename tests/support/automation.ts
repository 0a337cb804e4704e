import { expect } from "vitest";
import type { Client, World } from "./world.ts";

// Automation rules in stories: made over HTTP, run by the worker, looked at through their log.

export type RunLine = {
  rule_id: number;
  rule_name: string;
  record_type: string;
  record_id: number;
  trigger: string;
  chain_id: string;
  outcome: string;
  expressions: { name: string; value: string }[];
  condition: string | null;
  actions: string[];
  error_kind: string | null;
  error: string | null;
  person: { id: number; name: string } | null;
};

export function automation({ as, service, sql, clock }: World) {
  const admin = as("administrator");
  const due = async () =>
    Number(
      (await sql("SELECT count(*) FROM jobs WHERE kind = 'automation' AND run_at <= $1", [clock.now()]))[0]?.count ?? 0,
    );
  return {
    /** Waits until no rule is left to run. */
    async settled(): Promise<void> {
      for (let tries = 0; tries < 400; tries++) {
        await service.worker.runDue();
        if ((await due()) === 0) return;
        await new Promise((next) => setTimeout(next, 25));
      }
      throw new Error("the rules do not come to an end");
    },
    async rule(members: Record<string, unknown>, by: Client = admin): Promise<{ id: number; actions: string }> {
      const { status, body, text } = await by.post("/automation_rules", { trigger: "on status update", ...members });
      expect(status, text).toBe(201);
      return body;
    },
    async runs(rule: { id: number }): Promise<RunLine[]> {
      const { status, body, text } = await admin.get(`/automation_rules/${rule.id}/runs`);
      expect(status, text).toBe(200);
      return body.toReversed();
    },
  };
}
