import { screen, waitFor } from "@testing-library/dom";
import { expect, test } from "vitest";
import { renderScreen } from "../../../../tests/support/dom/render-screen.tsx";
import { history } from "../../../base/history.ts";

test("the start address redirects to the first page of the menu", async () => {
  const { account } = await renderScreen("", { roles: ["specialist"] });
  await waitFor(() => expect(history.location.pathname).toBe(`/a/${account}/inbox`));
});

test("the redirect doesn't override a link followed while the start address is loading", async () => {
  const { account, visit } = await renderScreen("", { records: { team: [] } });
  await screen.findAllByText("Loading");
  visit("/teams"); // its page loads first, so that the router still shows the start address
  await screen.findByRole("heading", { name: "Teams" });
  expect(history.location.pathname).toBe(`/a/${account}/teams`);
});
