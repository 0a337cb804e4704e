import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";
import { refuse } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

const entry = (id: number, name: string) => ({
  ...{ id, trashed: "person", person: { id: id + 40, name }, trashed_by: { id: 1, name: "Ada Admin" } },
  created_at: "2026-01-05T09:00:00Z",
});

test("an administrator restores several records from the trash", async () => {
  let rows = [entry(1, "Otto Old"), entry(2, "Greta Gone")];
  const { user, callsOf } = await renderScreen("/settings/trash", {
    answers: {
      "GET /trash": () => rows,
      "POST /people/:id/restore": ({ path }: { path: string }) => {
        rows = rows.filter(({ person }) => path !== `/people/${person.id}/restore`);
        return undefined;
      },
    },
  });
  await screen.findByText(/permanently deleted after 28 days/);
  await screen.findByRole("link", { name: "Otto Old" });
  expect(screen.getAllByText(/^Will be deleted/)).toHaveLength(2);
  await user.click(screen.getByRole("checkbox", { name: "Select all shown" }));
  await user.click(screen.getByRole("button", { name: "Restore selected (2)" }));
  await screen.findByText("2 records restored");
  await screen.findByText("The trash is empty");
  expect(callsOf("POST /people/:id/restore").map(({ path }) => path)).toEqual([
    ...["/people/41/restore", "/people/42/restore"],
  ]);
});

test("the page names a record that can't be restored, and restores the others", async () => {
  let rows = [entry(1, "Otto Old"), entry(2, "Greta Gone")];
  const { user } = await renderScreen("/settings/trash", {
    answers: {
      "GET /trash": () => rows,
      "POST /people/41/restore": refuse(422, "Validation failed", [["name", "Name is taken"]]),
      "POST /people/42/restore": () => {
        rows = rows.slice(0, 1);
        return undefined;
      },
    },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Select all shown" }));
  await user.click(screen.getByRole("button", { name: "Restore selected (2)" }));
  await screen.findByText(/Otto Old.*Name is taken/);
  screen.getByRole("link", { name: "Otto Old" });
});
