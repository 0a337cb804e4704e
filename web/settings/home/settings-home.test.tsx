import { screen, waitFor, within } from "@testing-library/dom";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import type { SettingsOverview } from "../../../records/answers/settings.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

const overview: SettingsOverview = { counts: { people: 12, people_with_roles: 3 }, attention: [], account: null };

const openSettings = (changed: Partial<SettingsOverview> = {}) =>
  renderScreen("/settings", {
    answers: {
      "GET /settings_overview": { ...overview, ...changed },
      "GET /sample_work": { counts: [], removing: false },
      "GET /search": [],
      "GET /trail_counts": { changes: 0, security: 0, sign_ins: 0, access: 0, most: 10_000 },
    },
  });

const find = async (user: UserEvent, words: string): Promise<void> => {
  const box = screen.getByRole("searchbox", { name: /Search settings, templates/ });
  await user.clear(box);
  await user.type(box, words);
};
const firstResult = (): string => document.querySelector(".settings-results a")?.textContent ?? "";

describe("the settings", () => {
  test.each([
    ["holiday", "Calendars and holidays"],
    ["colour", "Portal"],
    ["permissions", "People and roles"],
    ["sla", "Service levels"],
    ["undelete", "Archive and trash"],
    ["time zone", "Time zone"],
    ["login", "Identity providers"],
    ["login history", "Security log"],
    ["history", "Audit trail"],
    ["webhook", "Webhooks"],
    ["csv", "Import and export"],
    ["scim", "Directory sync"],
  ])("the search for “%s” finds %s first", async (words, found) => {
    const { user } = await openSettings();
    await screen.findByRole("searchbox", { name: /Search settings, templates/ });
    await find(user, words);
    await waitFor(() => expect(firstResult()).toContain(found));
  });

  test("the home lists a webhook that duplicates another one's messages", async () => {
    await openSettings({ attention: [{ kind: "webhook_twice", id: 8, name: "Once more", count: 1 }] });
    const main = within(await screen.findByRole("main"));
    await main.findByText("Webhook “Once more” duplicates another one: each event is sent twice");
  });
});

test("the settings menu doesn't offer OAuth applications to a specialist", async () => {
  await renderScreen("/settings", { roles: ["specialist"] });
  await screen.findByRole("heading", { level: 1, name: "Settings" });
  const menu = within(screen.getByRole("navigation", { name: "Main" }));
  await menu.findByRole("link", { name: "All records" });
  expect(menu.queryByRole("link", { name: "OAuth applications" })).toBeNull();
});
