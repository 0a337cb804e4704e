import { readFileSync } from "node:fs";
import pg from "pg";
import { drive } from "./drive.ts";
import { account } from "./load.ts";
import type { Workload } from "./workloads.ts";

// W4 with requests: what creating one costs our server, alone and with three affected SLAs. There is nothing to compare it
// with but itself; processor time is what belongs to us.

const beginning = "2026-01-01T00:00:00Z";
const columns = "account_id, created_at, updated_at";
const values = `'${account}', '${beginning}', '${beginning}'`;

/** Two service instances: the first without SLAs, the second with one per way to cover most people. */
export async function loadAgreements(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  const run = (text: string) => client.query(text);
  await run(`INSERT INTO services (id, name, provider_id, ${columns}) VALUES (1, 'E-mail', 1, ${values})`);
  await run(
    `INSERT INTO service_instances (id, name, service_id, first_line_team_id, support_team_id, ${columns}) SELECT n, 'Instance ' || n, 1, 1, 2, ${values} FROM generate_series(1, 2) n`,
  );
  await run(`INSERT INTO calendars (id, name, ${columns}) VALUES (1, 'Office', ${values})`);
  await run(
    `INSERT INTO calendar_hours (calendar_id, weekday, time_from, time_until, ${columns}) SELECT 1, day, '08:30', '17:00', ${values} FROM unnest(ARRAY['mon', 'tue', 'wed', 'thu', 'fri']) day`,
  );
  await run(
    `INSERT INTO holidays (id, name, start_at, end_at, ${columns}) SELECT n, 'Holiday ' || n, '2026-01-01'::date + n * 35, '2026-01-02'::date + n * 35, ${values} FROM generate_series(0, 30) n`,
  );
  await run(
    `INSERT INTO calendar_holidays (account_id, calendar_id, holiday_id) SELECT '${account}', 1, id FROM holidays`,
  );
  await run(
    `INSERT INTO service_offerings (id, name, service_id, status, time_zone, response_target_low, resolution_target_low, support_hours_low_id, ${columns})
SELECT n, 'Offering ' || n, 1, 'available', 'Amsterdam', 60 * n, 480 * n, 1, ${values} FROM generate_series(1, 3) n`,
  );
  await run(
    `INSERT INTO slas (id, name, service_offering_id, service_instance_id, customer_id, status, coverage, customer_account_id, start_date, ${columns})
SELECT n, 'SLA ' || n, n, 2, 1, 'active', (ARRAY['customer_account', 'organizations_and_descendants', 'sites'])[n], '${account}', '2020-01-01', ${values} FROM generate_series(1, 3) n`,
  );
  await run(
    `INSERT INTO sla_organizations (account_id, sla_id, organization_id) SELECT '${account}', 2, id FROM organizations`,
  );
  await run(`INSERT INTO sla_sites (account_id, sla_id, site_id) SELECT '${account}', 3, id FROM sites`);
  await run("VACUUM ANALYZE");
  await client.end();
}

const creating = (what: string, instance: number): Workload => ({
  name: "W4",
  what,
  budget: 0.4,
  next: (random, people) => ({
    method: "POST",
    path: "/requests",
    body: JSON.stringify({
      subject: "Outlook does not start",
      category: "incident",
      impact: "low",
      requested_for_id: 1 + 10 * Math.floor((random() * people) / 10), // every tenth is disabled, those are not
      service_instance_id: instance,
    }),
  }),
});

/** User and system time of a process in milliseconds. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export async function measureRequests(
  server: { base: string; pid: number },
  headers: Record<string, string>,
  people: number,
  options: { connections: number; seconds: number; rounds: number },
): Promise<string> {
  const lines = ["| Work | /s | p50 ms | p99 ms | processor ms of the server |", "|---|---|---|---|---|"];
  const workloads = [
    creating("create a request without SLAs", 1),
    creating("create a request with three affected SLAs", 2),
  ];
  const rounds = new Map<Workload, string[]>(workloads.map((workload) => [workload, []]));
  for (let round = 0; round <= options.rounds; round++)
    for (const workload of workloads) {
      const before = processorTime(server.pid);
      const seconds = round === 0 ? 2 : options.seconds;
      const { perSecond, p50, p99, count, failures } = await drive(server.base, headers, workload, people, {
        connections: options.connections,
        seconds,
        seed: round + 1,
      });
      const each = (processorTime(server.pid) - before) / count;
      const cells = [workload.what, Math.round(perSecond), p50.toFixed(1), p99.toFixed(1), each.toFixed(2)];
      if (round > 0)
        rounds.get(workload)?.push(`| W4 ${cells.join(" | ")} |${failures > 0 ? ` FAILURES ${failures}` : ""}`);
    }
  for (const list of rounds.values()) lines.push(...list);
  return lines.join("\n");
}
