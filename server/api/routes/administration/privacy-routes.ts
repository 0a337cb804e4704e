import { personDataOperations, privacyJob, privacyOperations } from "../../../../records/answers/privacy.ts";
import type { SecurityEvent } from "../../../../records/journal/security-events.ts";
import { BadRequest, Invalid, NotFound } from "../../../base/errors.ts";
import type { Transaction } from "../../../database/database.ts";
import { requireRecord } from "../../../engine/find.ts";
import type { Exchange } from "../../../exchange/exchange-context.ts";
import { buildAnonymousValues } from "../../../exchange/privacy/anonymize.ts";
import { describePrivacyJob, listPrivacyJobs, queuePrivacyJob } from "../../../exchange/privacy/privacy-jobs.ts";
import { listRetention, parseDays, previewRetention, setRetention } from "../../../exchange/privacy/retention.ts";
import { countStoredData, loadSubject, type Subject } from "../../../exchange/privacy/stored-data.ts";
import { recordSecurityEvent } from "../../../oauth/security-trail.ts";
import { respondWithEntries } from "../../http/entry-fields.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getClientAddress } from "../../http/origin.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { accepted, type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// An administrator's operations on personal data: sees and exports all of a person's data, anonymizes a person, and sets the
// retention of the account. PV1 to PV3

export function privacyRoutes(api: Api, exchange: Exchange): Route[] {
  const scope = (action: "Create" | "Read" | "Update") => ({ type: "privacy", action });
  const jobRoutes = serve(privacyOperations, {
    "GET /privacy_jobs": {
      scope: scope("Read"),
      async handle(call) {
        requireAdministeredAccount(call);
        const query = parseListQuery(call.query, null);
        return respondWithEntries(call, query, await listPrivacyJobs(exchange, call.caller, query), privacyJob);
      },
    },
    "GET /privacy_jobs/:token": {
      scope: scope("Read"),
      async handle(call) {
        requireAdministeredAccount(call);
        return ok(await describePrivacyJob(exchange, call.caller, call.params.token ?? ""));
      },
    },
    "GET /retention_periods": {
      scope: scope("Read"),
      handle: async (call) => ok(await listRetention(call.engine, requireAdministeredAccount(call))),
    },
    "GET /retention_periods/:subject/preview": {
      scope: scope("Read"),
      async handle(call) {
        requireAdministeredAccount(call);
        const text = call.query.find(({ name }) => name === "days")?.value ?? "";
        if (!/^[1-9]\d{0,4}$/.test(text)) throw new BadRequest("Invalid value for parameter 'days'");
        const count = await previewRetention(call.engine, call.caller, call.params.subject ?? "", Number(text));
        return ok({ count });
      },
    },
    "PUT /retention_periods/:subject": {
      scope: scope("Update"),
      async handle(call) {
        const account = requireAdministeredAccount(call);
        const { members } = await call.body();
        if (!("days" in members)) throw new Invalid([["days", "can't be blank"]]);
        const days = parseDays(members.days);
        const subject = call.params.subject ?? "";
        await setRetention(
          exchange,
          call.caller,
          subject,
          days,
          note(api, call, "retention-changed", { subject, days }),
        );
        return ok(await listRetention(call.engine, account));
      },
    },
  });
  return [...personDataRoutes(api, exchange), ...jobRoutes];
}

function personDataRoutes(api: Api, exchange: Exchange): Route[] {
  const type = api.engine.types.get("person");
  const scope = (action: "Create" | "Read") => ({ type: "privacy", action });
  const find = async (call: Call): Promise<Subject> => {
    const account = requireAdministeredAccount(call);
    const id = parseRecordId(call.params.id, type, api.domain);
    // Of a person of another account only that account decides.
    const owner = await requireRecord(call.engine, call.caller, type, id, "update");
    const subject = owner === account ? await loadSubject(call.engine, type, id, account) : null;
    if (subject === null) throw new NotFound();
    return subject;
  };
  return serve(personDataOperations, {
    "GET /people/:id/stored_data": {
      scope: scope("Read"),
      async handle(call) {
        const subject = await find(call);
        const parts = await countStoredData(call.engine, call.caller, type, subject);
        const { name } = buildAnonymousValues(type, subject.id);
        return ok({ name: subject.name, anonymous_name: String(name ?? ""), parts });
      },
    },
    "POST /people/:id/data_exports": {
      scope: scope("Create"),
      async handle(call) {
        const subject = await find(call);
        const wanted = { kind: "export", type: type.name, id: subject.id } as const;
        const trail = note(api, call, "person-data-exported", { person: subject.id });
        return accepted({ token: await queuePrivacyJob(exchange, call.caller, wanted, trail) });
      },
    },
    "POST /people/:id/anonymizations": {
      scope: scope("Create"),
      async handle(call) {
        const subject = await find(call);
        const { members } = await call.body();
        // It cannot be undone: the caller must send the name, so that it is not done by mistake.
        if (members.name !== subject.name) throw new Invalid([["name", "is not valid"]]);
        if (subject.id === call.caller.person) throw new Invalid([["base", "cannot be done to yourself"]]);
        const wanted = { kind: "anonymise", type: type.name, id: subject.id } as const;
        const trail = note(api, call, "person-anonymized", { person: subject.id });
        return accepted({ token: await queuePrivacyJob(exchange, call.caller, wanted, trail) });
      },
    },
  });
}

const note =
  (api: Api, call: Call, event: SecurityEvent, details: Readonly<Record<string, unknown>>) =>
  (tx: Transaction): void =>
    recordSecurityEvent(tx, call.engine.clock.now().toISOString(), {
      ...{ account: call.caller.account, person: call.caller.person, event, details },
      address: getClientAddress(api.configuration, call.request.raw),
    });
