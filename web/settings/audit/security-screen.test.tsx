import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";
import { exampleOf } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";
import type { SecurityTrailEntry } from "../../api/administration.ts";

test("the security trail lists events with the people who caused them", async () => {
  const [example] = exampleOf("GET /security_trail");
  if (example === undefined) throw new Error("The declaration has no example.");
  const entry = (id: number, event: string): SecurityTrailEntry => ({
    ...example,
    ...{ id, event, details: {}, subject: null },
  });
  await renderScreen("/settings/trail", {
    answers: {
      "GET /security_trail": [
        entry(3, "email-policy-changed"),
        entry(2, "mail-sent-again"),
        { ...entry(1, "sign-in"), person: { id: 5, name: "Rita Requester" } },
      ],
      "GET /trail_counts": { changes: 0, security: 3, sign_ins: 1, access: 0, most: 10_000 },
    },
  });
  await screen.findByRole("cell", { name: "Email policy changed" });
  screen.getByRole("cell", { name: "Email resent" });
  screen.getByRole("cell", { name: "Signed in" });
  screen.getByRole("cell", { name: "Rita Requester" });
  expect(screen.getAllByRole("cell", { name: "Ada Admin" })).toHaveLength(2);
});
