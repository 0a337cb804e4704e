import { listDeadJobs, retryDeadJobs } from "../queue/dead-jobs.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const jobs = defineCommand({
  name: "jobs",
  summary: "List permanently failed jobs, or retry them.",
  details: "Jobs are retried for about a week. Fix the cause before you retry.",
  options: { retry: { help: "retry all failed jobs" } },
  example: `${program} jobs --retry`,
  async run({ retry }, terminal) {
    const wanted = { whenNew: "refuse", say: terminal.say } as const;
    await withEngine(loadConfiguration(terminal), wanted, async ({ database, clock }) => {
      if (retry) {
        const count = await retryDeadJobs(database, clock.now(), { account: null, id: null });
        return terminal.print(`${count} ${count === 1 ? "job" : "jobs"} queued for retry.`);
      }
      const list = await listDeadJobs(database, null);
      if (list.length === 0) terminal.print("No failed jobs.");
      for (const { id, account, kind, attempts, error, dead_at } of list)
        terminal.print([id, account ?? "-", kind, `${attempts} attempts`, dead_at, error ?? ""].join("\t"));
    });
    return 0;
  },
});
