import { listDeadJobs, retryDeadJobs } from "../queue/dead-jobs.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const jobs = defineCommand({
  name: "jobs",
  summary: "List the jobs that failed too often, or run them again.",
  details: "A job is tried for about a week. Solve the cause of the failures before you retry.",
  options: { retry: { help: "run all of them again" } },
  example: `${program} jobs --retry`,
  async run({ retry }, terminal) {
    const wanted = { whenNew: "refuse", say: terminal.say } as const;
    await withEngine(loadConfiguration(terminal), wanted, async ({ database, clock }) => {
      if (retry) {
        const count = await retryDeadJobs(database, clock.now(), { account: null, id: null });
        return terminal.print(`${count} ${count === 1 ? "job runs" : "jobs run"} again.`);
      }
      const list = await listDeadJobs(database, null);
      if (list.length === 0) terminal.print("No job has failed too often.");
      for (const { id, account, kind, attempts, error, dead_at } of list)
        terminal.print([id, account ?? "-", kind, `${attempts} attempts`, dead_at, error ?? ""].join("\t"));
    });
    return 0;
  },
});
