import { mail, mailOperations, receivedMail } from "../../../../records/answers/mail.ts";
import { listMails, sendMailAgain } from "../../../actions/sent-mails.ts";
import { Conflict, NotFound } from "../../../base/errors.ts";
import { changePolicy, loadSerializedPolicy } from "../../../inbound/email-policy.ts";
import { listReceivedMails } from "../../../inbound/received-mails.ts";
import { recordSecurityEvent } from "../../../oauth/security-trail.ts";
import { getClientAddress } from "../../http/origin.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { buildAdministratorList } from "./administrator-list.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// ML10. The emails of an account and the policy for incoming email, for its administrators.

export function mailRoutes(api: Api): Route[] {
  return serve(mailOperations, {
    "GET /mails": buildAdministratorList("mail", listMails, mail),
    "POST /mails/:id/send_again": {
      scope: { type: "mail", action: "Update" },
      async handle(call) {
        const account = requireAdministeredAccount(call);
        const id = parseMailId(call.params.id);
        if (api.configuration.mail === null) throw new Conflict("No mail server is set up for outgoing email");
        await sendMailAgain(call.engine, account, id, (tx) => {
          const { person } = call.caller;
          const address = getClientAddress(api.configuration, call.request.raw);
          const securityEvent = { account, person, event: "mail-sent-again", details: { mail: id }, address } as const;
          recordSecurityEvent(tx, call.engine.clock.now().toISOString(), securityEvent);
        });
        return noContent;
      },
    },
    "GET /received_mails": buildAdministratorList("mail", listReceivedMails, receivedMail),
    "GET /email_policy": {
      scope: { type: "email-policy", action: "Read" },
      async handle(call) {
        const account = requireAdministeredAccount(call);
        return ok(await loadSerializedPolicy(call.engine.database, account));
      },
    },
    "PATCH /email_policy": {
      scope: { type: "email-policy", action: "Update" },
      async handle(call) {
        const account = requireAdministeredAccount(call);
        return ok(await changeEmailPolicy(api, call, account));
      },
    },
  });
}

async function changeEmailPolicy(api: Api, call: Call, account: string) {
  const { members } = await call.body();
  const now = call.engine.clock.now();
  const address = getClientAddress(api.configuration, call.request.raw);
  return changePolicy(call.engine.database, account, now, members, (tx, details) => {
    const securityEvent = {
      account,
      person: call.caller.person,
      event: "email-policy-changed",
      details,
      address,
    } as const;
    recordSecurityEvent(tx, now.toISOString(), securityEvent);
  });
}

function parseMailId(text = ""): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id < 2 ** 31)) throw new NotFound();
  return id;
}
