import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";
import { getExample } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";

test("the list names the event and the state of each webhook", async () => {
  await renderScreen("/webhooks", {
    answers: {
      "GET /webhook_states": getExample("GET /webhook_states"),
      "GET /webhook_delivery_statistics": getExample("GET /webhook_delivery_statistics"),
    },
  });
  await screen.findByText("Active");
  expect(screen.getAllByText("request.create").length).toBeGreaterThan(0);
});
