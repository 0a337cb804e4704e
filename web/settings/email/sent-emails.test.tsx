import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";
import { getExample, nothing } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";
import type { Mail } from "../../api/administration.ts";

test("an administrator resends a failed email, and the page shows when it has been sent", async () => {
  const [example] = getExample("GET /mails");
  let mail: Mail = {
    ...(example as Mail),
    ...{ id: 71, subject: "A full mailbox", body: "Your request was received." },
    ...{ state: "failed", error: "550 The mailbox is full" },
  };
  let isQueued = false;
  const { user, callsOf } = await renderScreen("/settings/mails", {
    answers: {
      "GET /mails": () => {
        const shown = mail;
        // The dispatcher sends the email after the page has seen it in the queue.
        if (isQueued) mail = { ...mail, state: "sent", body: "" };
        return [shown];
      },
      "POST /mails/:id/send_again": () => {
        mail = { ...mail, state: "waiting", error: null };
        isQueued = true;
        return nothing;
      },
    },
  });
  await user.click(await screen.findByRole("button", { name: /A full mailbox.*Failed/ }));
  await screen.findByText(/The mailbox is full/);
  await user.click(await screen.findByRole("button", { name: "Resend" }));
  await screen.findByText("Email resent");
  await screen.findByRole("button", { name: /A full mailbox.*Not sent yet/ });
  await screen.findByRole("button", { name: /A full mailbox.*Sent/ }, { timeout: 10_000 });
  expect(screen.queryByRole("button", { name: "Resend" })).toBeNull();
  expect(callsOf("POST /mails/71/send_again")).toHaveLength(1);
});
