import { screen } from "@testing-library/dom";
import { test } from "vitest";
import { renderScreen } from "../../tests/support/dom/render-screen.tsx";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

test("what is not there is said in words", async () => {
  const { visit } = await renderScreen("/teams/999999", { records: { team: [] } });
  await heading("Not found");
  visit("/nothing");
  await heading("Not found");
});

test("a server that cannot be reached is said in words", async () => {
  await renderScreen("/problems", {
    answers: { "GET /problems": () => Promise.reject(new TypeError("Failed to fetch")) },
  });
  await screen.findByText(/Can't reach the server/);
});
