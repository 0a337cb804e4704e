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
const forAdministrators = "For administrators of the account.";

const mailState = word("waiting", "sent", "failed", "gathered", "digested");
export const mail = answer("Mail", {
  id: integer(),
  recipient: string(),
  subject: string(),
  body: noted("empty once the mail is sent", string()),
  created_at: datetime,
  sent_at: orNull(datetime),
  state: noted("`gathered`: waits for the next digest; `digested`: was part of one", mailState),
  tries: integer(),
  error: noted("why the last attempt failed", orNull(string())),
  person: orNull(object({ id: integer(), name: orNull(string()) })),
  record: noted("the record that it is about", orNull(object({ type: string(), id: integer() }))),
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
  recipient: noted("the addresses of the account that it was sent to, separated by commas", string()),
  subject: orNull(string()),
  state: receivedMailState,
  outcome: orNull(word("request", "note", "ignored", "rejected", "unreadable")),
  reason: noted("why it was ignored or rejected, or why handling it failed", orNull(string())),
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
  generate_new_requests: noted("whose mails become requests", word("never", "only_from_allowed_people", "always")),
  allowed_senders: noted(
    "addresses, or domains with a leading `@`; for `only_from_allowed_people`",
    list(string(), 1000),
  ),
  replies_as_notes: noted("answers become notes", boolean),
  match_id_in_subject: noted("a number in the subject names the record", boolean),
  allow_from: noted("a mail may name another sender in its text, with the secret", boolean),
  create_people: noted("unknown senders become people", boolean),
  days_after_completion: noted("for how many days a completed record takes notes", integer({ min: 0, max: 3650 })),
};
export const emailPolicy = answer("EmailPolicy", {
  ...policyMembers,
  has_secret: noted("the secret is not shown", boolean),
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
    description: `${forAdministrators} The text of a mail that waits may contain a link that is meant for its recipient alone.`,
    tag,
    query: partial({
      state: noted("Mails in this state.", mailState),
      recipient: noted("Mails to this address.", string()),
      person: noted("Mails to the person with this id.", integer()),
    }),
    hasFields: true,
    isPaged: true,
    answer: list(mail),
    answers: "The mails. Newest first.",
    example: [exampleMail],
  },
  "POST /mails/:id/send_again": {
    id: "sendMailAgain",
    summary: "Resend a failed email",
    description: `${forAdministrators} The same text, to the address that the person has now. 409 for a mail that has not failed, or whose text is no longer stored, and where no mail server is set up. The call is part of the security trail.`,
    tag,
    answer: null,
  },
  "GET /received_mails": {
    id: "listReceivedMails",
    summary: "List incoming emails",
    description: `${forAdministrators} Entries are kept for 30 days, messages only until they are handled.`,
    tag,
    query: partial({
      state: noted("Mails in this state.", receivedMailState),
      sender: noted("Mails from this address.", string()),
      outcome: noted("Mails with this outcome.", string()),
    }),
    hasFields: true,
    isPaged: true,
    answer: list(receivedMail),
    answers: "The mails. Newest first.",
    example: [exampleReceivedMail],
  },
  "GET /email_policy": {
    id: "getEmailPolicy",
    summary: "Retrieve the email policy",
    description: forAdministrators,
    tag,
    answer: emailPolicy,
    answers: "The policy.",
    example: examplePolicy,
  },
  "PATCH /email_policy": {
    id: "updateEmailPolicy",
    summary: "Update the email policy",
    description: `${forAdministrators} Members that are not named keep their value. The change is part of the security trail.`,
    tag,
    body: object({
      ...partial(policyMembers),
      secret: noted("at least 16 characters; null removes it", optional(orNull(secret(255, 16)))),
    }),
    bodyExample: { create_people: true },
    answer: emailPolicy,
    answers: "The policy as it is now.",
    example: examplePolicy,
  },
});

const words = {
  title: noted("In the subject, after the name of the record.", string(200)),
  text: noted("The first sentence of the mail.", string(2000)),
};
/** The words of one kind of mail, in every language. */
export const mailWording = object({
  id: noted("What the mail tells, such as `completed`.", string()),
  about: noted("The record types.", strings),
  placeholders: noted("What may stand in braces.", strings),
  texts: list(object({ language: string(), ...words, changed: noted("The account has words of its own.", boolean) })),
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
    answers: "The words.",
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
    answers: "The words as they are now.",
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
    body: object({ ...words, record_id: noted("Of the first type of `about`.", integer()) }),
    bodyExample: { ...exampleWords, record_id: 48213 },
    answer: object({ subject: string(), body: string() }),
    answers: "Subject and text.",
    example: { subject: "Request 48213: done – Wireless drops", body: "Request 48213 is done: Solved." },
  },
});
