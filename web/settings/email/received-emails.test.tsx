import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { getExample } from "../../../tests/support/dom/answers.ts";
import { renderScreen } from "../../../tests/support/dom/render-screen.tsx";
import type { EmailPolicy, ReceivedMail } from "../../api/administration.ts";

const [example] = getExample("GET /received_mails");
if (example === undefined) throw new Error("The declaration has no example.");
const mail = (changed: Partial<ReceivedMail>): ReceivedMail => ({ ...example, ...changed });

test("administrators see the result of each received email, and set the policy", async () => {
  let policy: EmailPolicy = getExample("GET /email_policy");
  const unknown = "unknown sender";
  const { user, nextCall } = await renderScreen("/settings/received-mails", {
    answers: {
      "GET /received_mails": [
        mail({ id: 1, subject: "The printer is on fire", outcome: "request", record_id: 1203 }),
        mail({ id: 2, subject: "Hello?", outcome: "rejected", reason: unknown, record_type: null, record_id: null }),
      ],
      "GET /email_policy": () => policy,
      "PATCH /email_policy": ({ body }) => {
        policy = { ...policy, ...(body as Partial<EmailPolicy>), has_secret: true };
        return policy;
      },
    },
  });
  await screen.findByRole("link", { name: "New request 1203" });
  screen.getByText(unknown);
  const examples = within(await screen.findByRole("region", { name: "What this policy does" }));
  examples.getByText("An unknown sender sends an email: it is rejected with a reason.");

  await user.click(screen.getByLabelText("Create people for unknown senders"));
  await examples.findByText(/An unknown sender sends an email: a person is created for the address/);
  await user.click(screen.getByLabelText("Allow #from and X-Xurrent-From"));
  await user.type(await screen.findByLabelText("X-Xurrent-Auth secret"), "a long enough secret");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Email policy saved");
  const { body } = await nextCall("PATCH /email_policy");
  expect(body).toMatchObject({ create_people: true, allow_from: true, secret: "a long enough secret" });
});
