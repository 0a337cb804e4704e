import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";
import { getExample } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";
import type { SecurityTrailEntry } from "../../api/administration.ts";

test("the security trail lists events with the people who caused them", async () => {
  const [example] = getExample("GET /security_trail");
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

test("the details of an event name people, roles, fields and codes", async () => {
  const [example] = getExample("GET /security_trail");
  if (example === undefined) throw new Error("The declaration has no example.");
  const entry = (id: number, event: string, details: Record<string, unknown>): SecurityTrailEntry => ({
    ...example,
    ...{ id, event, details, subject: "Rita Requester" },
  });
  await renderScreen("/settings/trail", {
    answers: {
      "GET /security_trail": [
        entry(6, "roles-changed", { person: 5, before: ["auditor"], after: ["auditor", "service_desk_analyst"] }),
        entry(5, "client-created", { application: 7, name: "HR import", client_id: "abc" }),
        entry(4, "application-created", { application: 7, name: "HR import", grant_type: "client_credentials" }),
        entry(3, "sign-in-policy-changed", { single_sign_on: [true, false], password_length: [8, 12] }),
        entry(2, "identity-provider-changed", {
          provider: 2,
          name: "SSO",
          changes: { disabled: [false, true], name: ["Login", "SSO"] },
        }),
        entry(1, "passkey-added", { passkey: 3, name: "password" }),
      ],
      "GET /trail_counts": { changes: 0, security: 6, sign_ins: 1, access: 0, most: 10_000 },
    },
  });
  await screen.findByRole("cell", { name: "Roles changed" });
  const described = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.querySelectorAll("p")].map((line) => line.textContent));
  expect(described).toEqual([
    ["Person: Rita Requester", "Before: Auditor", "After: Auditor, Service desk analyst"],
    ["Name: HR import", "Client ID: abc"],
    ["Name: HR import", "Grant type: Client credentials"],
    ["Single sign on: Yes → No", "Password length: 8 → 12"],
    ["Name: SSO", "Disabled: No → Yes", "Name: Login → SSO"],
    ["Name: password"],
  ]);
});
