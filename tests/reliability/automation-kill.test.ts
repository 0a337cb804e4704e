import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, inject, test } from "vitest";
import { automation } from "../support/records/automation-rules.ts";
import { world } from "../support/world.ts";

// A rule takes effect once, whenever its process dies: the test kills servers on the same database repeatedly during a flood of
// saves, and cuts connections in the middle of runs.

const here = await world();
const admin = here.as("administrator");
const { rule, settled } = automation(here);
const program = inject("serverProgram");

async function startServer(): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH, DATABASE_URL: here.databaseUrl, PORT: "0", RATE_LIMIT: "0", RATE_BURST: "0" };
  const child = spawn(process.execPath, [program, "serve"], {
    env: { ...env, DATA_DIR: process.env.TMPDIR ?? "/tmp" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const append = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("Steward is running at")) resolve();
    };
    child.stdout?.on("data", append);
    child.stderr?.on("data", append);
    child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
  });
  return child;
}

const cutConnections = () =>
  here
    .sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND query LIKE '%automation_%'",
    )
    .catch(() => {});

test("rules take effect once, although servers are killed and connections are cut", async () => {
  for (let i = 0; i < 3; i++)
    await rule({
      name: `Answer ${i}`,
      generic: "request",
      trigger: "on note added",
      condition: "note.medium = default",
      actions: `a1: add internal note 'answer ${i} to {{note.text}}'`,
    });
  const ids: number[] = [];
  for (let i = 0; i < 6; i++)
    ids.push((await admin.post("/requests", { category: "rfi", subject: "Kill", requested_by_id: 5 })).body.id);
  const expected = new Map<number, string[]>(ids.map((id) => [id, []]));
  for (let round = 0; round < 5; round++) {
    const server = await startServer();
    const saves = ids.flatMap((id) =>
      [0, 1, 2].map(async (n) => {
        const note = `note ${round}.${n}`;
        const { status } = await admin.patch(`/requests/${id}`, { note }).catch(() => ({ status: 0 }));
        if (status === 200) expected.get(id)?.push(note);
      }),
    );
    const dying = new Promise((next) => setTimeout(next, 60 + round * 70)).then(async () => {
      server.removeAllListeners("exit");
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
    });
    await Promise.all([...saves, dying, cutConnections()]);
  }
  // The killed servers ran in real time, so the jobs that they rescheduled are due by then.
  const today = Date.now();
  for (let hours = 1; hours <= 12; hours++) {
    await here.clock.moveTo(new Date(today + hours * 3_600_000).toISOString());
    await settled().catch(() => {});
  }
  await settled();
  for (const [id, notes] of expected) {
    const { body } = await admin.get(`/requests/${id}/notes?per_page=100&sort=id`);
    const texts: string[] = body.map(({ text }: { text: string }) => text);
    const counts = notes.flatMap((note) =>
      [0, 1, 2].map((i) => texts.filter((text) => text === `answer ${i} to ${note}`).length),
    );
    const failed = await here.sql("SELECT error FROM automation_runs WHERE record_id = $1 AND outcome = 'failed'", [
      id,
    ]);
    expect(failed).toEqual([]);
    expect(counts).toEqual(counts.map(() => 1));
    expect(notes.length).toBeGreaterThan(5);
  }
  expect(await here.sql("SELECT 1 FROM jobs WHERE kind = 'automation'")).toEqual([]);
});
