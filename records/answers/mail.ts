import {
  answer,
  boolean,
  datetime,
  integer,
  list,
  noted,
  object,
  operations,
  optional,
  orNull,
  partial,
  secret,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";

// The emails of an account, the policy for its inbound email, and the words of its emails.

const tag = "E-mail";
const forAdministrators = "Available to account administrators.";

const mailState = word("waiting", "sent", "failed", "gathered", "digested");
export const mail = answer("Mail", {
  id: integer(),
  recipient: string(),
  subject: string(),
  body: noted("empty once the email is sent", string()),
  created_at: datetime,
  sent_at: orNull(datetime),
  state: noted("`gathered`: waiting for the next digest; `digested`: sent as part of a digest", mailState),
  tries: integer(),
  error: noted("the reason the last attempt failed", orNull(string())),
  person: orNull(object({ id: integer(), name: orNull(string()) })),
  record: noted("the record the email is about", orNull(object({ type: string(), id: integer() }))),
});
const exampleMail = {
  ...{ id: 71, recipient: "grace@widget.example", subject: "Request 1203: completed", body: "", state: "sent" },
  ...{ created_at: "2031-02-03T09:00:00+01:00", sent_at: "2031-02-03T09:00:02+01:00", tries: 1, error: null },
  ...{ person: { id: 7, name: "Grace Hopper" }, record: { type: "request", id: 1203 } },
};

const receivedMailState = word("waiting", "done", "failed");
export const receivedMail = answer("ReceivedMail", {
  id: integer(),
  sender: orNull(string()),
  recipient: noted("the account's addresses that the email was sent to, comma-separated", string()),
  subject: orNull(string()),
  state: receivedMailState,
  outcome: orNull(word("request", "note", "ignored", "rejected", "unreadable")),
  reason: noted("the reason the email was ignored or rejected, or couldn't be processed", orNull(string())),
  record_type: orNull(string()),
  record_id: orNull(integer()),
  note_id: orNull(integer()),
  received_at: datetime,
  handled_at: orNull(datetime),
});
const exampleReceivedMail = {
  ...{ id: 45, sender: "grace@widget.example", recipient: "widget-it@mail.widget.example", subject: "No network" },
  ...{ state: "done", outcome: "request", reason: null, record_type: "request", record_id: 1203, note_id: 4410 },
  ...{ received_at: "2031-02-03T09:00:00+01:00", handled_at: "2031-02-03T09:00:01+01:00" },
};

const policyMembers = {
  generate_new_requests: noted("whose emails become requests", word("never", "only_from_allowed_people", "always")),
  allowed_senders: noted(
    "addresses, or domains with a leading `@`; for `only_from_allowed_people`",
    list(string(), 1000),
  ),
  replies_as_notes: noted("replies are added as notes", boolean),
  match_id_in_subject: noted("a number in the subject identifies the record", boolean),
  allow_from: noted("an email can specify another sender in its text if it includes the secret", boolean),
  create_people: noted("creates people for unknown senders", boolean),
  days_after_completion: noted(
    "number of days after completion during which a record accepts notes",
    integer({ min: 0, max: 3650 }),
  ),
};
export const emailPolicy = answer("EmailPolicy", {
  ...policyMembers,
  has_secret: noted("whether a secret is set; the secret itself is never returned", boolean),
});
const examplePolicy = {
  ...{ generate_new_requests: "only_from_allowed_people", allowed_senders: ["@widget.example"] },
  ...{ replies_as_notes: true, match_id_in_subject: true, allow_from: false, create_people: false },
  ...{ days_after_completion: 28, has_secret: false },
};

export const mailOperations = operations({
  "GET /mails": {
    id: "listMails",
    summary: "List outgoing emails",
    description: `${forAdministrators} The text of a waiting email can contain a link that is intended only for its recipient.`,
    tag,
    query: partial({
      state: noted("Only emails in this state.", mailState),
      recipient: noted("Only emails to this address.", string()),
      person: noted("Only emails to the person with this id.", integer()),
    }),
    hasFields: true,
    isPaged: true,
    answer: list(mail),
    answers: "A list of emails, newest first.",
    example: [exampleMail],
  },
  "POST /mails/:id/send_again": {
    id: "sendMailAgain",
    summary: "Resend a failed email",
    description: `${forAdministrators} Sends the same text to the person's current address. Responds with 409 if the email hasn't failed, if its text is no longer stored, or if no mail server is configured. The call is recorded in the security log.`,
    tag,
    answer: null,
  },
  "GET /received_mails": {
    id: "listReceivedMails",
    summary: "List incoming emails",
    description: `${forAdministrators} Entries are kept for 30 days, messages only until they are processed.`,
    tag,
    query: partial({
      state: noted("Only emails in this state.", receivedMailState),
      sender: noted("Only emails from this address.", string()),
      outcome: noted("Only emails with this outcome.", string()),
    }),
    hasFields: true,
    isPaged: true,
    answer: list(receivedMail),
    answers: "A list of emails, newest first.",
    example: [exampleReceivedMail],
  },
  "GET /email_policy": {
    id: "getEmailPolicy",
    summary: "Retrieve the email policy",
    description: forAdministrators,
    tag,
    answer: emailPolicy,
    answers: "The email policy.",
    example: examplePolicy,
  },
  "PATCH /email_policy": {
    id: "updateEmailPolicy",
    summary: "Update the email policy",
    description: `${forAdministrators} Omitted members keep their values. The change is recorded in the security log.`,
    tag,
    body: object({
      ...partial(policyMembers),
      secret: noted("at least 16 characters; null removes it", optional(orNull(secret(255, 16)))),
    }),
    bodyExample: { create_people: true },
    answer: emailPolicy,
    answers: "The updated email policy.",
    example: examplePolicy,
  },
});

const words = {
  title: noted("Follows the name of the record in the subject.", string(200)),
  text: noted("The first sentence of the email.", string(2000)),
};
/** The words of one kind of mail, in every language. */
export const mailWording = object({
  id: noted("The event that the email reports, such as `completed`.", string()),
  about: noted("The record types the email can be about.", strings),
  placeholders: noted("The placeholders that can be used in braces.", strings),
  texts: list(
    object({ language: string(), ...words, changed: noted("The account has customized this template.", boolean) }),
  ),
});
const exampleWords = { title: "done", text: "{record} is done: {completion_reason}." };
const exampleWording = {
  id: "completed",
  about: ["request"],
  placeholders: ["record", "name", "account", "by", "completion_reason"],
  texts: [{ language: "en", ...exampleWords, changed: true }],
};

export const mailWordingOperations = operations({
  "GET /mail_wordings": {
    id: "listMailWordings",
    summary: "List email templates in all languages",
    description: forAdministrators,
    tag,
    answer: list(mailWording),
    answers: "The email templates.",
    example: [exampleWording],
  },
  "PUT /mail_wordings/:name/:language": {
    id: "putMailWording",
    summary: "Update an email template in a language",
    description: forAdministrators,
    tag,
    body: object(words),
    bodyExample: exampleWords,
    answer: mailWording,
    answers: "The updated email template.",
    example: exampleWording,
  },
  "DELETE /mail_wordings/:name/:language": {
    id: "resetMailWording",
    summary: "Reset an email template to the default",
    description: forAdministrators,
    tag,
    answer: null,
  },
  "POST /mail_wordings/:name/:language/preview": {
    id: "previewMailWording",
    summary: "Preview an email template with a record",
    description: forAdministrators,
    tag,
    body: object({ ...words, record_id: noted("The id of a record of the first type in `about`.", integer()) }),
    bodyExample: { ...exampleWords, record_id: 48213 },
    answer: object({ subject: string(), body: string() }),
    answers: "The subject and text of the email.",
    example: { subject: "Request 48213: done – Wireless drops", body: "Request 48213 is done: Solved." },
  },
});
