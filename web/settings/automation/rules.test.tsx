import { screen, waitFor, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { aRecord } from "../../../tests/support/dom/record.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

test("a keyboard user changes the order of rules", async () => {
  let rules = ["First", "Second", "Third"].map((name, at) =>
    aRecord("automation_rule", { id: at + 1, name, trigger: "on update", generic: "request", position: at + 1 }),
  );
  const { user, callsOf } = await renderScreen("/settings/rules?scope=for_requests", {
    answers: {
      "GET /automation_rule_statistics": [],
      "GET /automation_rules/for_requests": () =>
        rules.toSorted((one, other) => Number(one.position) - Number(other.position)),
      "PATCH /automation_rules/:id": ({ path, body }: { path: string; body: object }) => {
        rules = rules.map((rule) => (path.endsWith(`/${rule.id}`) ? { ...rule, ...body } : rule));
        return rules.find((rule) => path.endsWith(`/${rule.id}`));
      },
    },
  });
  (await screen.findByRole("link", { name: "Third" })).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await screen.findByText("Third moved to position 2");
  expect(callsOf("PATCH /automation_rules/:id").map(({ path, body }) => [path, body])).toEqual([
    ["/automation_rules/3", { position: 2 }],
    ["/automation_rules/2", { position: 3 }],
  ]);
  const list = within(screen.getByRole("list", { name: "" })); // the only one in the page
  await waitFor(() => {
    const names = list.getAllByRole("link").map((link) => link.textContent);
    expect(names).toEqual(["First", "Third", "Second"]);
  });
  expect(document.activeElement?.textContent).toBe("Third");
});
