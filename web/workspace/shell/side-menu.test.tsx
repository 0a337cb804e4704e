import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

const menu = async () => within(await screen.findByRole("navigation", { name: "Main" }));
const entries = async () => (await menu()).getAllByRole("link").map(({ textContent }) => textContent);

test("a specialist's menu contains boards, but not services", async () => {
  await renderScreen("/notifications", { roles: ["specialist"] });
  await waitFor(async () => expect(await entries()).toContain("Boards"));
  expect(await entries()).not.toContain("Services");
});

test("an administrator's menu starts with the settings", async () => {
  await renderScreen("/notifications", { roles: ["account_administrator"] });
  await waitFor(async () => expect((await entries())[0]).toBe("Settings"));
});
