import { mailWordingOperations } from "../../../../records/answers/mail.ts";
import { Invalid } from "../../../base/errors.ts";
import { previewWording } from "../../../notifications/wordings/preview-wording.ts";
import {
  listWordings,
  loadWording,
  parseWording,
  requireLanguage,
  resetWording,
  storeWording,
} from "../../../notifications/wordings/wording-settings.ts";
import { recordSecurityEvent } from "../../../oauth/security-trail.ts";
import { getClientAddress } from "../../http/origin.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// The email templates of an account, for its administrators: read, change, reset, preview.

export function mailWordingRoutes(api: Api): Route[] {
  const read = { type: "email-policy", action: "Read" } as const;
  const write = { type: "email-policy", action: "Update" } as const;
  const parsePlace = (call: Call) => ({
    account: requireAdministeredAccount(call),
    name: call.params.name ?? "",
    language: requireLanguage(call.params.language ?? ""),
  });
  const record = (call: Call, tx: Parameters<typeof recordSecurityEvent>[0], details: Record<string, unknown>) =>
    recordSecurityEvent(tx, call.engine.clock.now().toISOString(), {
      account: call.caller.account,
      person: call.caller.person,
      event: "mail-wording-changed",
      details,
      address: getClientAddress(api.configuration, call.request.raw),
    });
  return serve(mailWordingOperations, {
    "GET /mail_wordings": {
      scope: read,
      async handle(call) {
        const account = requireAdministeredAccount(call);
        return ok(await listWordings(call.engine.database, account));
      },
    },
    "PUT /mail_wordings/:name/:language": {
      scope: write,
      async handle(call) {
        const place = parsePlace(call);
        const wording = parseWording(place.name, (await call.body()).members);
        await call.engine.database.transaction(async (tx) => {
          storeWording(tx, place, wording, call.engine.clock.now());
          record(call, tx, { wording: place.name, language: place.language, ...wording });
        });
        return ok(await loadWording(call.engine.database, place.account, place.name));
      },
    },
    "DELETE /mail_wordings/:name/:language": {
      scope: write,
      async handle(call) {
        const place = parsePlace(call);
        await loadWording(call.engine.database, place.account, place.name);
        await call.engine.database.transaction(async (tx) => {
          resetWording(tx, place);
          record(call, tx, { wording: place.name, language: place.language, reset: true });
        });
        return noContent;
      },
    },
    "POST /mail_wordings/:name/:language/preview": {
      scope: read,
      async handle(call) {
        const { name, language } = parsePlace(call);
        const { record_id, ...members } = (await call.body()).members;
        const wording = parseWording(name, members);
        if (typeof record_id !== "number" || !Number.isSafeInteger(record_id) || record_id < 1 || record_id >= 2 ** 31)
          throw new Invalid([["record_id", "is not valid"]]);
        const wanted = { name, language, wording, record: record_id };
        return ok(await previewWording(call.engine, call.caller, wanted));
      },
    },
  });
}
