import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { getExample, nothing } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

test("an administrator switches directory sync on, sees its token once, and switches it off", async () => {
  const on = { ...getExample("GET /scim"), users: { active: 0, inactive: 0, failed: 0 }, groups: 0 };
  const off = { ...on, enabled: false, tokens: [] };
  let state: typeof on = off;
  const created = getExample("POST /scim/tokens");
  const { user, visit, callsOf } = await renderScreen("/settings/provisioning", {
    answers: {
      "GET /scim": () => state,
      "POST /scim/tokens": () => {
        state = on;
        return created;
      },
      "DELETE /scim": () => {
        state = off;
        return nothing;
      },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Turn on" }));
  const status = await screen.findByRole("status");
  expect(within(status).getByLabelText("Token").textContent).toBe(created.token);
  expect(screen.getByLabelText("Base URL").textContent).toBe(on.base_url);

  visit("/settings/failed-jobs-of-nobody");
  await screen.findByText("Not found");
  visit("/settings/provisioning");
  await screen.findByRole("button", { name: "Turn off" });
  expect(screen.queryByText(created.token)).toBeNull();

  await user.click(screen.getByRole("button", { name: "Turn off" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Turn off" }));
  await screen.findByRole("button", { name: "Turn on" });
  expect(callsOf("DELETE /scim")).toHaveLength(1);
});
