import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { register } from "../../../../records/index.ts";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Action } from "../../../actions/action.ts";
import { CurrentAccountContext } from "../../../api/current-account.ts";
import type { WhoAmI } from "../../../api/session.ts";
import { loadLanguage } from "../../../languages/index.ts";
import { workItemTypes } from "../page-parts.ts";
import { StateBars } from "../state-bars.tsx";
import { useRestore } from "./use-restore.ts";

// Restoring a record from its page.

const roots: Root[] = [];
beforeAll(() => loadLanguage("en"));
afterEach(() => {
  for (const root of roots.splice(0)) root.unmount();
  vi.unstubAllGlobals();
});

const types = workItemTypes.map((name): [string, RecordType] => {
  const type = register.find((each) => each.name === name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return [name, type];
});
const updated_at = "2025-03-03T09:00:00Z";

/** The HTML above the header on the page of record 7, and its restore action. */
function render(type: RecordType, roles: readonly string[], state: object): { html: string; action: Action } {
  const account = { id: "widget-it", name: "Widget IT", roles, manages_team: false };
  const who = { accounts: [account] } as unknown as WhoAmI;
  let action: Action | undefined;
  function Page() {
    const row = { id: 7, updated_at, ...state };
    action = useRestore(type, row);
    return <StateBars type={type} row={row} restore={action} />;
  }
  const container = document.createElement("div");
  const root = createRoot(container);
  roots.push(root);
  flushSync(() =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <CurrentAccountContext value={{ who, account }}>
          <Page />
        </CurrentAccountContext>
      </QueryClientProvider>,
    ),
  );
  if (action === undefined) throw new Error("the page was not rendered");
  return { html: container.innerHTML, action };
}

test("seven record types use the work item page", () =>
  expect(workItemTypes.toSorted()).toEqual(["problem", "project", "release", "request", "risk", "task", "workflow"]));

test.each(types)("an administrator restores a %s from its page", async (_, type) => {
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method }: { method: string }) => {
    if (path.endsWith("/access-token")) return Response.json({ access_token: "secret", expires_in: 600 });
    calls.push(`${method} ${path}`);
    return Response.json({ id: 7 });
  });
  for (const state of [{ archived: true }, { trashed: true }]) {
    const { html, action } = render(type, ["account_administrator"], state);
    expect(html).toMatch(/<button[^>]*>Restore<\/button>/);
    await action.run();
  }
  expect(calls).toEqual(Array(2).fill(`POST /v1/${type.collection}/7/restore`));
});

test.each(types)(
  "the page of a %s offers restoring only to administrators, and only for records of the account",
  (_, type) => {
    const archived = { archived: true };
    expect(render(type, ["specialist"], archived).html).toContain("Archived");
    expect(render(type, ["specialist"], archived).html).not.toContain("Restore");
    expect(render(type, ["account_administrator"], {}).action.when).toBe(false);
    const foreign = { ...archived, account: { id: "acme", name: "Acme" } };
    expect(render(type, ["account_administrator"], foreign).html).not.toContain("Restore");
  },
);
