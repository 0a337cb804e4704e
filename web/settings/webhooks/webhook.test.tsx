import { screen } from "@testing-library/dom";
import { describe, expect, test } from "vitest";
import { getExample, nothing } from "../../../tests/support/dom/answers.ts";
import { aRecord } from "../../../tests/support/dom/record.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";
import type { Webhook } from "../../api/webhooks.ts";
import { history } from "../../base/history.ts";

const state: Webhook = { ...getExample("GET /webhooks/:id/state"), id: 7, name: "Teams" };
const webhook = aRecord("webhook", { id: 7, name: "Teams", event: "request.create", uri: state.uri, verified: true });

const openWebhook = (changed: Partial<Webhook> = {}, others: readonly Webhook[] = [], path = "/webhooks/7") =>
  renderScreen(path, {
    answers: {
      "GET /webhook_states": [{ ...state, ...changed }, ...others],
      "GET /webhooks/:id/state": { ...state, ...changed },
      "GET /webhook_delivery_statistics": getExample("GET /webhook_delivery_statistics"),
      "GET /webhooks/:id/deliveries": getExample("GET /webhooks/:id/deliveries"),
      "GET /webhooks/:id/deliveries/:delivery": getExample("GET /webhooks/:id/deliveries/:delivery"),
      "GET /webhook_deliveries": getExample("GET /webhook_deliveries"),
      "POST /webhooks/:id/verification": nothing,
      "POST /webhooks/:id/test": nothing,
    },
    records: { webhook: [webhook] },
  });

describe("a webhook", () => {
  test("is marked as a duplicate if another one sends the same event to the same address", async () => {
    await openWebhook({}, [{ ...state, id: 8, name: "Once more" }]);
    await screen.findByText("Duplicate webhook");
    screen.getByRole("link", { name: "Once more" });
  });

  test("is not marked as a duplicate if the other one is disabled", async () => {
    await openWebhook({}, [{ ...state, id: 8, name: "Once more", disabled: true, state: "disabled" }]);
    await screen.findByRole("table");
    expect(screen.queryByText("Duplicate webhook")).toBeNull();
  });

  test("can be sent its verification again while it is unverified", async () => {
    const { user, nextCall } = await openWebhook({ verified: false, state: "unverified" });
    await screen.findByText("Not verified yet");
    await user.click(screen.getByRole("button", { name: "Resend verification" }));
    await nextCall("POST /webhooks/7/verification");
  });

  test("redirects a message's former address to the message beside the list", async () => {
    const { account, nextCall } = await openWebhook({}, [], "/webhooks/7/deliveries/2");
    await screen.findByRole("table");
    await nextCall("GET /webhooks/7/deliveries/2");
    expect(history.location.href).toBe(`/a/${account}/webhooks/7?delivery=2`);
  });

  test("sends a test message on demand", async () => {
    const { user, nextCall } = await openWebhook();
    await user.click(await screen.findByRole("button", { name: "Send test" }));
    await nextCall("POST /webhooks/7/test");
  });
});
