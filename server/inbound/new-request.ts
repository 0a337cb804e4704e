import { fillDefaults, findMatchingRequest, hasPublicNote, resolveNames } from "../actions/monitoring-events.ts";
import { Forbidden, Invalid, type Problem } from "../base/errors.ts";
import type { Transaction } from "../database/database.ts";
import { mayCreate } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Attachments, Values } from "../engine/rules.ts";
import { readInput } from "../engine/write/input.ts";
import { triggerNotification } from "../mail/notification-outbox.ts";
import type { Inbox } from "./inbound-context.ts";
import type { MailBody } from "./mail-attachments.ts";
import type { InboundMessage } from "./message.ts";
import type { MailParameters } from "./parameters.ts";
import type { MailOutcome } from "./received-mails.ts";
import type { Sender } from "./sender.ts";

// ML4, ML5, ML9: creates a request from a mail.

export type RequestInput = {
  message: InboundMessage;
  parameters: MailParameters;
  body: MailBody;
  /** the team that was addressed */
  team: number | null;
};
/** `isExisting`: a matching request existed before; `note`: the text it does not contain yet */
export type RegistrationResult = { id: number; isExisting: boolean; note: string | null };

export async function registerRequest(
  inbox: Inbox,
  tx: Transaction,
  by: Caller,
  input: RequestInput,
): Promise<RegistrationResult> {
  const { engine } = inbox;
  const { message, parameters, body, team } = input;
  const type = engine.types.get("request");
  if (!mayCreate(type, by)) throw new Forbidden();
  const values = await buildRequestValues(inbox, tx, by, input);
  const noteValue = parameters.internal ? values.internal_note : values.note;
  const note = typeof noteValue === "string" ? noteValue : null;
  const earlier = await findMatchingRequest(engine, tx, by, values, true);
  if (earlier !== null) {
    const isNew =
      note !== null && (body.attachments.length > 0 || !(await hasPublicNote(tx, by.account, earlier, note)));
    return { id: earlier, isExisting: true, note: isNew ? note : null };
  }
  await fillDefaults(tx, by, values);
  const field = parameters.internal ? "internal_note_attachments" : "note_attachments";
  const attachments: Attachments = new Map(body.attachments.length === 0 ? [] : [[field, body.attachments]]);
  // Source and addressed team come from the mail, not from its writer: they need no permission.
  const { source = "Email", sourceID = message.messageId?.slice(0, 128) ?? null, ...requested } = values;
  const addressed: Values = team === null || requested.team != null || requested.member != null ? {} : { team };
  const id = await createUnchecked({ engine, tx, by, type }, requested, {
    attachments,
    fixed: { source, sourceID, ...addressed },
  });
  return { id, isExisting: false, note };
}

async function buildRequestValues(
  { engine }: Inbox,
  tx: Transaction,
  by: Caller,
  { message, parameters, body }: RequestInput,
): Promise<Values> {
  const { members: given, customFields, internal } = parameters;
  const problems: Problem[] = [];
  const { time_spent, ...named } = given;
  const members = await resolveNames(tx, by, named, problems, true);
  const text = [given.note, body.text].filter((part) => part !== undefined && part !== "").join("\n\n");
  const note = internal ? { internal_note: joinTexts(given.internal_note, text) } : { note: text };
  const subject = given.subject ?? [...message.subject].slice(0, 255).join("");
  const input = readInput(
    engine.types.get("request"),
    {
      members: {
        ...members,
        ...note,
        subject,
        ...(time_spent === undefined ? {} : { time_spent }),
        ...(Object.keys(customFields).length === 0 ? {} : { custom_fields: customFields }),
      },
    },
    by,
    "create",
  );
  problems.push(...input.problems);
  if (problems.length > 0) throw new Invalid(problems);
  const { values } = input;
  values.source ??= "Email";
  values.requested_by ??= by.person;
  values.requested_for ??= values.requested_by;
  return values;
}

const joinTexts = (first: string | undefined, second: string): string =>
  first === undefined || first === "" ? second : `${first}\n\n${second}`;

/** Notifies the owner of a further address at the primary one that a request was registered from it. */
export function notifyAddressOwner(
  tx: Transaction,
  { by, address }: Sender,
  { record }: Pick<MailOutcome, "record">,
): void {
  if (record === undefined) return;
  const values = { requested_by: by.person };
  const trigger = {
    ...record,
    account: by.account,
    by: null,
    values,
    people: [by.person],
    facts: { sender: address },
  };
  triggerNotification(tx, "request/new_request_generated_from_non_primary_email", trigger, by.now);
}
