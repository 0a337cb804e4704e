import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { type ServerProcess, serverProcesses } from "../support/processes/server-processes.ts";
import { atScale } from "../support/scale.ts";
import { tokenFor } from "../support/seed.ts";
import { type Client, createClient } from "../support/world.ts";

// X1 to X8: a run takes effect exactly once, whenever the process dies. Every rule counts its runs in the record, which shows
// lost and duplicate runs.

const { start, sql } = await serverProcesses();
const rules = atScale(6, 20);
const records = 25;
const changes = atScale(150, 1_000);
const kills = atScale(3, 10);

const count = async (text: string): Promise<number> => Number((await sql.query(text)).rows[0].n);
const countWaiting = () => count("SELECT count(*) AS n FROM jobs WHERE kind = 'automation'");

async function create(by: Client, path: string, members: Record<string, unknown>) {
  const { status, text, body } = await by.post(path, members);
  expect(status, text).toBe(201);
  return body;
}

test(`X4: a burst of ${changes} changes with ${rules} matching rules each: the queue drains, each effect exactly once after ${kills} kills with -9`, async () => {
  let [one, other]: ServerProcess[] = await Promise.all([start(), start()]);
  const by = createClient((one as ServerProcess).base, {
    Authorization: `Bearer ${tokenFor("administrator")}`,
    account: "widget-it",
  });
  for (let i = 0; i < rules; i++)
    await create(by, "/automation_rules", {
      name: `Count ${i}`,
      generic: "ci",
      trigger: "on name update",
      condition: "name_was", // false on create
      actions: `a1: set custom_fields.runs_${i} = custom_fields.runs_${i} + 1`,
    });
  const group = { name: "Sensors", group: "Devices", rule_set: "physical_asset" };
  const category = (await create(by, "/product_categories", group)).reference;
  const product = { name: "Sensor", brand: "B", model: "M", category, support_team_id: 1 };
  const product_id = (await create(by, "/products", product)).id;
  const ids: number[] = [];
  for (let i = 0; i < records; i++)
    ids.push((await create(by, "/cis", { product_id, status: "in_stock", label: `S${i}` })).id);
  await Promise.all(
    ids.map(async (id) => {
      for (let n = 1; n <= changes / records; n++) {
        let reply = await by.patch(`/cis/${id}`, { name: `Name ${n}` });
        // On a busy machine, a connection may take longer than the server's timeout. The server then returns 503 without a change.
        while (reply.status === 503) reply = await by.patch(`/cis/${id}`, { name: `Name ${n}` });
        expect(reply.status, reply.text).toBe(200);
      }
    }),
  );
  for (let kill = 1; kill <= kills; kill++) {
    while ((await countWaiting()) > changes * (1 - kill / (kills + 1))) await pause(10);
    await (one as ServerProcess).kill();
    // The other server continues and is the next one to be killed.
    [one, other] = [other, await start()];
  }
  while ((await countWaiting()) > 0) await pause(50);
  const expected = Object.fromEntries(Array.from({ length: rules }, (_, i) => [`runs_${i}`, changes / records]));
  const { rows } = await sql.query("SELECT custom_fields FROM cis ORDER BY id");
  expect(rows).toEqual(ids.map(() => ({ custom_fields: expected })));
  expect(await count("SELECT count(*) AS n FROM automation_runs WHERE outcome = 'failed'")).toBe(0);
  expect(await count("SELECT count(*) AS n FROM automation_runs WHERE outcome = 'done'")).toBe(changes * rules);
  await Promise.all([one, other].map((server) => (server as ServerProcess).kill()));
});
