import { screen, waitFor } from "@testing-library/dom";
import { expect, test } from "vitest";
import type { StoredItem } from "../../records/answers/kept-items.ts";
import { getExample } from "../../tests/support/dom/answers.ts";
import { renderScreen } from "../../tests/support/dom/render-screen.tsx";

test("D-750: a page shows a draft that another device changed while the previous page was open", async () => {
  const drafts: StoredItem[] = [];
  const { visit, callsOf } = await renderScreen("/settings/identity-providers/new", {
    answers: {
      "GET /kept_items/:kind": ({ path }) => (path.endsWith("/draft") ? drafts : []),
      "GET /scopes": getExample("GET /scopes"),
    },
  });
  await screen.findByRole("textbox", { name: /^Short name/ });
  await waitFor(() => expect(callsOf("GET /kept_items/draft")).toHaveLength(1));
  const at = "2026-01-05T09:00:00Z";
  const text = JSON.stringify({ changes: { name: "Cash desk" }, before: { name: "" } });
  const kept = { owner: "me", may_change: true, updated_by: null, updated_at: at } as const;
  drafts.push({ key: "settings/application/new", value: { text, at }, ...kept });
  visit("/settings/applications/new");
  await screen.findByDisplayValue("Cash desk");
});
