import {
  datetime,
  integer,
  list,
  map,
  noted,
  object,
  operations,
  optional,
  orNull,
  partial,
  string,
} from "../vocabulary/index.ts";

// Receivers to try webhooks with, and new keys for webhook policies.

export const sandbox = object({
  key: string(),
  uri: string(),
  status: noted("the status that the sandbox responds with", integer()),
  delay: noted("delay before the sandbox responds, in milliseconds", integer()),
  created_at: datetime,
  expires_at: datetime,
});
const exampleSandbox = {
  ...{ key: "9f2c4b7d1e6a4f08b3c5d7e9f1a2b3c4", status: 200, delay: 0 },
  uri: "https://steward.example/sandbox/9f2c4b7d1e6a4f08b3c5d7e9f1a2b3c4",
  ...{ created_at: "2031-02-03T09:00:00+01:00", expires_at: "2031-02-04T09:00:00+01:00" },
};
export const sandboxMessage = object({
  id: integer(),
  received_at: datetime,
  method: string(),
  query: orNull(string()),
  headers: map(string()),
  body: string(),
  size: integer(),
  answered_status: integer(),
  answered_at: orNull(datetime),
});
const exampleMessage = {
  ...{ id: 7, received_at: "2031-02-03T09:00:00+01:00", method: "POST", query: "", headers: {} },
  ...{ body: '{"webhook_id":12}', size: 17, answered_status: 200, answered_at: "2031-02-03T09:00:00+01:00" },
};

const rotationMembers = {
  alg: string(),
  key_id: string(),
  next_key_id: orNull(string()),
  next_from: orNull(datetime),
};
export const keyRotation = object(rotationMembers);
/** The new key is shown when it is made, and never again. */
export const newKeyRotation = object({ ...rotationMembers, public_key_pem: orNull(string()) });
const exampleRotation = {
  ...{ alg: "es256", key_id: "0f1e2d3c4b5a69788796a5b4c3d2e1f0" },
  ...{ next_key_id: "a1b2c3d4e5f60718293a4b5c6d7e8f90", next_from: "2031-02-04T09:00:00+01:00" },
};
const exampleEndedRotation = { ...exampleRotation, next_key_id: null, next_from: null };

const tag = "Webhooks";

export const webhookSandboxOperations = operations({
  "GET /webhook_sandboxes": {
    id: "listWebhookSandboxes",
    summary: "List webhook sandboxes",
    tag,
    answer: list(sandbox),
    answers: "A list of sandboxes that haven't expired.",
    example: [exampleSandbox],
  },
  "POST /webhook_sandboxes": {
    id: "createWebhookSandbox",
    summary: "Create a webhook sandbox",
    tag,
    description:
      "Creates an address that stores the latest 200 messages for 24 hours. An account can have ten sandboxes at a time.",
    status: 201,
    answer: sandbox,
    answers: "The sandbox.",
    example: exampleSandbox,
  },
  "PATCH /webhook_sandboxes/:key": {
    id: "updateWebhookSandbox",
    summary: "Configure the responses of a webhook sandbox",
    tag,
    body: object(partial({ status: integer({ min: 200, max: 599 }), delay: integer({ min: 0, max: 15_000 }) })),
    bodyExample: { status: 500, delay: 2000 },
    answer: sandbox,
    answers: "The sandbox.",
    example: exampleSandbox,
  },
  "DELETE /webhook_sandboxes/:key": {
    id: "deleteWebhookSandbox",
    summary: "Delete a webhook sandbox and its messages",
    tag,
    answer: null,
  },
  "GET /webhook_sandboxes/:key/messages": {
    id: "listSandboxMessages",
    summary: "List the messages received by a webhook sandbox",
    tag,
    query: { after: noted("Only messages newer than the message with this id.", optional(integer())) },
    answer: list(sandboxMessage),
    answers: "A list of messages, newest first.",
    example: [exampleMessage],
  },
});

export const webhookRotationOperations = operations({
  "GET /webhook_policies/:id/rotation": {
    id: "getWebhookKeyRotation",
    summary: "List the keys of a signing policy",
    answer: keyRotation,
    answers: "The ids of the keys.",
    example: exampleRotation,
  },
  "POST /webhook_policies/:id/rotation": {
    id: "startWebhookKeyRotation",
    summary: "Create the next signing key",
    description:
      "The response contains the new key, which is never returned again. Until the overlap ends, messages are signed with the old key, and the published keys include both.",
    body: object({ overlap_hours: optional(integer({ min: 0, max: 720 })) }),
    bodyExample: { overlap_hours: 24 },
    answer: newKeyRotation,
    answers: "The ids of the keys, and the new key.",
    example: { ...exampleRotation, public_key_pem: "-----BEGIN PUBLIC KEY-----\n…" },
  },
  "PATCH /webhook_policies/:id/rotation": {
    id: "finishWebhookKeyRotation",
    summary: "Activate the next signing key",
    answer: keyRotation,
    answers: "The ids of the keys.",
    example: exampleEndedRotation,
  },
  "DELETE /webhook_policies/:id/rotation": {
    id: "cancelWebhookKeyRotation",
    summary: "Discard the next signing key",
    answer: keyRotation,
    answers: "The ids of the keys.",
    example: exampleEndedRotation,
  },
});
