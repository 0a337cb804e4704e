import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { nothing } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";
import type { DeadJob } from "../../queries/settings/account.ts";

const failed = { attempts: 180, error: "the disk is full", dead_at: "2026-01-05T09:00:00Z" };

test("administrators retry or delete jobs that failed too often", async () => {
  let jobs: DeadJob[] = [
    { id: 1, kind: "timer", ...failed },
    { id: 2, kind: "a kind that nobody knows", ...failed },
  ];
  const remove = (id: number) => {
    jobs = jobs.filter((job) => job.id !== id);
    return nothing;
  };
  const { user, callsOf } = await renderScreen("/settings/failed-jobs", {
    answers: {
      "GET /dead_jobs": () => jobs,
      "POST /dead_jobs/:job/retry": () => remove(1),
      "DELETE /dead_jobs/:job": () => remove(2),
    },
  });
  const table = await screen.findByRole("table", { name: "Failed jobs" });
  within(table).getByRole("cell", { name: "Scheduled change" });
  expect(within(table).getAllByRole("row")).toHaveLength(3);
  expect(within(table).getAllByText("the disk is full")).toHaveLength(2);

  await user.click(screen.getByRole("button", { name: "Retry: Scheduled change" }));
  await screen.findByText("Retrying job");
  expect(callsOf("POST /dead_jobs/1/retry")).toHaveLength(1);

  await user.click(screen.getByRole("button", { name: "Delete: Other background job" }));
  expect(callsOf("DELETE /dead_jobs/:job")).toHaveLength(0);
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  await screen.findByText("No failed jobs");
  expect(callsOf("DELETE /dead_jobs/2")).toHaveLength(1);
});
