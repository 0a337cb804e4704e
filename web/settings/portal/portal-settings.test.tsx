import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

test("a color that makes white text unreadable is rejected, with the nearest readable one as suggestion", async () => {
  const { user, nextCall, callsOf } = await renderScreen("/settings/portal");
  const color = await screen.findByRole<HTMLInputElement>("textbox", { name: "Accent color" });
  await user.type(color, "#f4c430");
  await screen.findByText("White text is not readable on this color. Choose a darker one.");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(callsOf("PUT /kept_items/portal/:key")).toHaveLength(0);

  await user.click(screen.getByRole("button", { name: /^Use #[0-9a-f]{6} instead$/ }));
  expect(screen.queryByText("White text is not readable on this color. Choose a darker one.")).toBeNull();
  const accent = color.value;
  expect(accent).toMatch(/^#[0-9a-f]{6}$/);
  expect(accent).not.toBe("#f4c430");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved");
  expect((await nextCall("PUT /kept_items/portal/:key")).body).toEqual({ value: { accent } });
});
