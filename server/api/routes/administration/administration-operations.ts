import type { ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEntryFieldsParameter, buildPagingParameters } from "../../openapi/list-parameters.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildNoContentResponse, pagingHeaders } from "../../openapi/responses.ts";

// Describes the routes of mail-routes.ts and operation-routes.ts for the OpenAPI document.

export const text: Schema = { type: "string" };
export const integer: Schema = { type: "integer" };
export const moment: Schema = { type: "string", format: "date-time" };
export const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });
/** All of its members are always present. */
export const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

export const buildFilter = (name: string, description: string, schema: Schema = text): Schema => ({
  name,
  in: "query",
  description,
  schema,
});

/** A page of entries, newest first. */
export const buildEntriesResponse = (
  context: OpenApiContext,
  description: string,
  schemaName: string,
  schema: Schema,
  example: unknown,
): Schema =>
  buildJsonResponse(
    context,
    `${description} Newest first.`,
    { type: "array", items: context.components.ref("schemas", schemaName, () => schema) },
    [example],
    ["ETag", ...pagingHeaders],
  );

const forAdministrators = "For administrators of the account.";
const namedPerson = orNull(objectOf({ id: integer, name: orNull(text) }));
const mailStates = ["waiting", "sent", "failed", "gathered", "digested"];

export const mailEntry = objectOf({
  id: integer,
  recipient: text,
  subject: text,
  body: { ...text, description: "empty once the mail is sent" },
  created_at: moment,
  sent_at: orNull(moment),
  state: { ...oneOf(...mailStates), description: "`gathered`: waits for the next digest; `digested`: was part of one" },
  tries: integer,
  error: { ...orNull(text), description: "why the last attempt failed" },
  person: namedPerson,
  record: { ...orNull(objectOf({ type: text, id: integer })), description: "the record that it is about" },
});
const exampleMail = {
  ...{ id: 71, recipient: "grace@widget.example", subject: "Request 1203: completed", body: "", state: "sent" },
  ...{ created_at: "2031-02-03T09:00:00+01:00", sent_at: "2031-02-03T09:00:02+01:00", tries: 1, error: null },
  ...{ person: { id: 7, name: "Grace Hopper" }, record: { type: "request", id: 1203 } },
};

export const receivedMailEntry = objectOf({
  id: integer,
  sender: orNull(text),
  recipient: { ...text, description: "the addresses of the account that it was sent to, separated by commas" },
  subject: orNull(text),
  state: oneOf("waiting", "done", "failed"),
  outcome: orNull(oneOf("request", "note", "ignored", "rejected", "unreadable")),
  reason: { ...orNull(text), description: "why it was ignored or rejected, or why handling it failed" },
  record_type: orNull(text),
  record_id: orNull(integer),
  note_id: orNull(integer),
  received_at: moment,
  handled_at: orNull(moment),
});
const exampleReceivedMail = {
  ...{ id: 45, sender: "grace@widget.example", recipient: "widget-it@mail.widget.example", subject: "No network" },
  ...{ state: "done", outcome: "request", reason: null, record_type: "request", record_id: 1203, note_id: 4410 },
  ...{ received_at: "2031-02-03T09:00:00+01:00", handled_at: "2031-02-03T09:00:01+01:00" },
};

const policyMembers = {
  generate_new_requests: {
    ...oneOf("never", "only_from_allowed_people", "always"),
    description: "whose mails become requests",
  },
  allowed_senders: {
    type: "array",
    items: text,
    maxItems: 1000,
    description: "addresses, or domains with a leading `@`; for `only_from_allowed_people`",
  },
  replies_as_notes: { type: "boolean", description: "answers become notes" },
  match_id_in_subject: { type: "boolean", description: "a number in the subject names the record" },
  allow_from: { type: "boolean", description: "a mail may name another sender in its text, with the secret" },
  create_people: { type: "boolean", description: "unknown senders become people" },
  days_after_completion: {
    type: "integer",
    minimum: 0,
    maximum: 3650,
    description: "for how many days a completed record takes notes",
  },
} satisfies Record<string, Schema>;
const policy = objectOf({ ...policyMembers, has_secret: { type: "boolean", description: "the secret is not shown" } });
const examplePolicy = {
  ...{ generate_new_requests: "only_from_allowed_people", allowed_senders: ["@widget.example"] },
  ...{ replies_as_notes: true, match_id_in_subject: true, allow_from: false, create_people: false },
  ...{ days_after_completion: 28, has_secret: false },
};

export const securityEventEntry = objectOf({
  id: integer,
  event: { ...text, description: "such as `sign-in`, `token-created`, `roles-changed`" },
  person: { ...namedPerson, description: "who acted or is concerned; null: the command line" },
  subject: { ...orNull(text), description: "the name of the person concerned, when somebody else acted" },
  details: { type: "object", additionalProperties: true },
  address: { ...orNull(text), description: "the address of the client" },
  created_at: moment,
});
const exampleSecurityEvent = {
  ...{ id: 903, event: "roles-changed", person: { id: 2, name: "Ada Admin" }, subject: "Grace Hopper" },
  details: { person: 7, before: ["specialist"], after: ["specialist", "auditor"] },
  ...{ address: "192.0.2.7", created_at: "2031-02-03T09:00:00+01:00" },
};

export const deadJobEntry = objectOf({
  id: integer,
  kind: { ...text, description: "what it was to do, such as `import`" },
  attempts: integer,
  error: { ...orNull(text), description: "why the last attempt failed" },
  dead_at: moment,
});
const exampleDeadJob = {
  ...{ id: 5120, kind: "import", attempts: 180, error: "the disk is full", dead_at: "2031-02-03T09:00:00+01:00" },
};

export function administrationOperations(context: OpenApiContext): ApiOperations {
  const paging = buildPagingParameters(context);
  const policySchema = () => context.components.ref("schemas", "EmailPolicy", () => policy);
  return [
    [
      "GET /mails",
      () => ({
        operationId: "listMails",
        summary: "List the e-mails that were written to people",
        description: `${forAdministrators} The text of a mail that waits may contain a link that is meant for its recipient alone.`,
        tag: "E-mail",
        parameters: [
          buildFilter("state", "Mails in this state.", oneOf(...mailStates)),
          buildFilter("recipient", "Mails to this address."),
          buildFilter("person", "Mails to the person with this id.", integer),
          buildEntryFieldsParameter(mailEntry),
          ...paging,
        ],
        responses: { 200: buildEntriesResponse(context, "The mails.", "Mail", mailEntry, exampleMail) },
      }),
    ],
    [
      "POST /mails/:id/send_again",
      () => ({
        operationId: "sendMailAgain",
        summary: "Send an e-mail again that failed",
        description: `${forAdministrators} The same text, to the address that the person has now. 409 for a mail that has not failed, or whose text is no longer stored, and where no mail server is set up. The call is part of the security trail.`,
        tag: "E-mail",
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      "GET /received_mails",
      () => ({
        operationId: "listReceivedMails",
        summary: "List the e-mails that people wrote to the account",
        description: `${forAdministrators} Entries are kept for 30 days, messages only until they are handled.`,
        tag: "E-mail",
        parameters: [
          buildFilter("state", "Mails in this state.", oneOf("waiting", "done", "failed")),
          buildFilter("sender", "Mails from this address."),
          buildFilter("outcome", "Mails with this outcome."),
          buildEntryFieldsParameter(receivedMailEntry),
          ...paging,
        ],
        responses: {
          200: buildEntriesResponse(context, "The mails.", "ReceivedMail", receivedMailEntry, exampleReceivedMail),
        },
      }),
    ],
    [
      "GET /email_policy",
      () => ({
        operationId: "getEmailPolicy",
        summary: "Read the policy for e-mails to the account",
        description: forAdministrators,
        tag: "E-mail",
        responses: { 200: buildJsonResponse(context, "The policy.", policySchema(), examplePolicy) },
      }),
    ],
    [
      "PATCH /email_policy",
      () => ({
        operationId: "updateEmailPolicy",
        summary: "Change the policy for e-mails to the account",
        description: `${forAdministrators} Members that are not named keep their value. The change is part of the security trail.`,
        tag: "E-mail",
        requestBody: buildJsonBody(
          {
            type: "object",
            properties: {
              ...policyMembers,
              secret: {
                ...orNull({ type: "string", minLength: 16, maxLength: 255 }),
                description: "null removes it",
              },
            },
          },
          { create_people: true },
        ),
        responses: { 200: buildJsonResponse(context, "The policy as it is now.", policySchema(), examplePolicy, []) },
      }),
    ],
    [
      "GET /security_trail",
      () => ({
        operationId: "listSecurityTrail",
        summary: "List sign-ins, and changes of tokens, applications, passwords and roles",
        description: `${forAdministrators} At most 10,000 entries are counted: the total of a longer list is 10,000.`,
        parameters: [
          buildFilter("event", "Entries of these events, several separated by commas."),
          buildFilter("since", "Entries from this moment on."),
          buildFilter("person", "Entries of the person with this id.", integer),
          buildEntryFieldsParameter(securityEventEntry),
          ...paging,
        ],
        responses: {
          200: buildEntriesResponse(context, "The entries.", "SecurityEvent", securityEventEntry, exampleSecurityEvent),
        },
      }),
    ],
    [
      "GET /dead_jobs",
      () => ({
        operationId: "listDeadJobs",
        summary: "List the jobs of the account that failed too often",
        description: `${forAdministrators} A job is tried for about a week; then it stays here until it is retried or deleted.`,
        parameters: [buildFilter("kind", "Jobs of this kind."), buildEntryFieldsParameter(deadJobEntry), ...paging],
        responses: { 200: buildEntriesResponse(context, "The jobs.", "DeadJob", deadJobEntry, exampleDeadJob) },
      }),
    ],
    [
      "POST /dead_jobs/:job/retry",
      () => ({
        operationId: "retryDeadJob",
        summary: "Run a job again that failed too often",
        description: `${forAdministrators} It has all its attempts again.`,
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      "DELETE /dead_jobs/:job",
      () => ({
        operationId: "deleteDeadJob",
        summary: "Delete a job that failed too often",
        description: `${forAdministrators} An import, export or change of many records that waits for it ends.`,
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
  ];
}
