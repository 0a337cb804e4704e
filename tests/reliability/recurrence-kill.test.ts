import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { atScale } from "../support/scale.ts";
import { tokenFor } from "../support/seed.ts";
import { longestTest, until } from "../support/waiting.ts";
import { createClient } from "../support/world.ts";

// An occurrence is used once, whenever the process that handles it dies: RC27, RC28.

const { start, sql } = await serverProcesses();
const rounds = atScale(3, 5);
const each = atScale(16, 40);
const owners = rounds * each;

test("no occurrence is lost or doubled, although servers are killed while many are due", async () => {
  let [one, other] = await Promise.all([start(), start()]);
  const admin = createClient(one.base, { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" });
  const make = workflowHelpers(admin);
  const { reference } = await make.workflowType();
  const task = await make.taskTemplate({ team_id: 1 });
  // An hour ago, to the minute: today's occurrence is over, and the next one is tomorrow's.
  const due = new Date(Math.floor(Date.now() / 60_000 - 60) * 60_000);
  const recurrence = {
    frequency: "daily",
    start_date: due.toISOString().slice(0, 10),
    time_of_day: due.toISOString().slice(11, 16),
    time_zone: "UTC",
  };
  const ids: number[] = [];
  for (let i = 0; i < owners; i++) {
    const { id } = await make.workflowTemplate({
      subject: `Again ${i}`,
      category: "standard",
      justification: "maintenance",
      service_id: 1,
      workflow_type: reference,
      workflow_manager_id: 1,
      recurrence,
    });
    await admin.post(`/workflow_templates/${id}/task_template_relations`, { task_template_id: task.id });
    ids.push(id);
  }
  const countWorkflows = async () =>
    (await sql.query("SELECT template_id, count(*)::integer AS n FROM workflows GROUP BY template_id")).rows;
  const remaining: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // As if the service had been down for that hour.
    const some = ids.slice(round * each, (round + 1) * each);
    const missed = due.toISOString().replace(".000", "");
    await sql.query(
      "UPDATE workflow_templates SET recurrence = recurrence || jsonb_build_object('next_occurrence_at', $1::text) WHERE id = ANY($2)",
      [missed, some],
    );
    await sql.query("UPDATE jobs SET run_at = $1 WHERE kind = 'occurrence' AND key = ANY($2)", [
      due,
      some.map((id) => `workflow_template ${id}`),
    ]);
    const before = (await countWorkflows()).length;
    // Some are done, some are running, and the rest waits for the next two servers.
    while ((await countWorkflows()).length <= before + round * 4) await pause(5);
    await Promise.all([one.kill(), other.kill()]);
    remaining.push(before + each - (await countWorkflows()).length);
    [one, other] = await Promise.all([start(), start()]);
  }
  expect(Math.max(...remaining)).toBeGreaterThan(0); // some work was left
  await until(async () => (await countWorkflows()).length >= owners, { longest: longestTest });
  // The leases of the killed servers expire, and their unfinished work is repeated.
  await until(
    async () => (await sql.query("SELECT 1 FROM jobs WHERE kind = 'occurrence' AND run_at <= now()")).rows.length === 0,
    { longest: longestTest },
  );
  expect((await countWorkflows()).sort((a, b) => a.template_id - b.template_id)).toEqual(
    ids.map((template_id) => ({ template_id, n: 1 })),
  );
  const { rows } = await sql.query(
    `SELECT DISTINCT t.times_applied, (t.recurrence->>'last_occurrence_at')::timestamptz AS last, t.recurrence->>'last_occurrence_errors' AS errors,
  (t.recurrence->>'next_occurrence_at')::timestamptz AS next, w.template_id = t.id AS is_its_own,
  (SELECT count(*)::integer FROM tasks k WHERE k.workflow_id = w.id) AS tasks
FROM workflow_templates t JOIN workflows w ON w.id = (t.recurrence->>'last_occurrence_object_id')::integer`,
  );
  expect(rows).toEqual([
    {
      times_applied: 1,
      last: due,
      errors: null,
      next: new Date(due.getTime() + 86_400_000),
      is_its_own: true,
      tasks: 1,
    },
  ]);
  await Promise.all([one.kill(), other.kill()]);
});
