import { screen } from "@testing-library/dom";
import { test } from "vitest";
import { renderScreen } from "../../tests/support/dom/render-screen.tsx";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

test("a missing record or page shows a message", async () => {
  const { visit } = await renderScreen("/teams/999999", { records: { team: [] } });
  await heading("Not found");
  visit("/nothing");
  await heading("Not found");
});

test("an unreachable server shows a message", async () => {
  await renderScreen("/problems", {
    answers: { "GET /problems": () => Promise.reject(new TypeError("Failed to fetch")) },
  });
  await screen.findByText(/Can't reach the server/);
});
