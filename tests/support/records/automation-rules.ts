import { expect } from "vitest";
import { until } from "../waiting.ts";
import type { Client, World } from "../world.ts";

// Automation rules in stories: created over HTTP, run by the worker, inspected through their log.

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

type Members = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; tests look at single members
type Body = any;

export function automation({ as, service, sql, clock }: World) {
  const admin = as("administrator");
  const get = async (path: string): Promise<Body> => (await admin.get(path)).body;
  const create = async (path: string, members: Members): Promise<Body> => {
    const { status, text, body } = await admin.post(path, members);
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const runs = async (rule: { id: number }): Promise<RunLine[]> => {
    const { status, body, text } = await admin.get(`/automation_rules/${rule.id}/runs`);
    expect(status, text).toBe(200);
    return body.toReversed();
  };
  const formatOutcome = ({ outcome, error_kind }: RunLine) =>
    error_kind === null ? outcome : `${outcome}: ${error_kind}`;
  const countDue = async () =>
    Number(
      (await sql("SELECT count(*) FROM jobs WHERE kind = 'automation' AND run_at <= $1", [clock.now()]))[0]?.count ?? 0,
    );
  return {
    /** Waits until no rule is left to run. */
    async settled(): Promise<void> {
      await until(async () => {
        await service.worker.runDue();
        return (await countDue()) === 0;
      });
    },
    async rule(members: Record<string, unknown>, by: Client = admin): Promise<{ id: number; actions: string }> {
      const { status, body, text } = await by.post("/automation_rules", { trigger: "on status update", ...members });
      expect(status, text).toBe(201);
      return body;
    },
    runs,
    outcomes: async (of: { id: number }) => (await runs(of)).map(formatOutcome),
    get,
    create,
    async patched(path: string, members: Members): Promise<Body> {
      const { status, text, body } = await admin.patch(path, members);
      expect(status, text).toBe(200);
      return body;
    },
    request: (members: Members = {}) =>
      create("/requests", { category: "rfi", subject: "A question", requested_by_id: 5, ...members }),
    texts: async (path: string): Promise<string[]> =>
      (await get(`${path}/notes?sort=id&per_page=100`)).map(({ text }: { text: string }) => text),
  };
}
