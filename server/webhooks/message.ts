import { buildNodeId } from "../engine/read/serializer.ts";
import type { Types } from "../engine/types.ts";

// Builds the body of a message and its Link header: WH10, WH21.

/** A team or member, as of the preparation of the message. */
export type Party = {
  id: number;
  name: string;
  sourceID: string | null;
  disabled: boolean;
  account: { id: string; name: string };
};

/** The facts of an event, which the engine stores in the transaction of the change. */
export type EventFacts = {
  audit_line_id?: number;
  note_id?: number;
  /** only the account of the note may see it */
  note_internal?: true;
  source?: string;
  sourceID?: string;
  status?: string;
  previous_status?: string;
  /** all columns of a record that can be deleted */
  record?: Record<string, unknown>;
  /** JSON of the payload that an automation rule sends */
  call?: string;
  /** the trace of the change, where changes are traced */
  traceparent?: string;
};

export type MessageInput = {
  webhook: { id: number; name: string; account: string };
  event: string;
  object: { type: string; id: number };
  person: { id: number; name: string } | null;
  payload: Record<string, unknown>;
  note?: number;
};

export type MessageContext = {
  domain: string;
  origin: string;
  getAccountUrl(account: string): string;
  types: Types;
};

// biome-ignore format: the list of the specification
const eventsWithPreviousStatus = new Set([
  "request.status-changed", "problem.status-changed", "workflow.status-changed", "task.status-changed",
  "project.status-changed", "project_task.status-changed",
]);

export function buildMessage(
  { domain, getAccountUrl, types }: MessageContext,
  input: MessageInput,
): Record<string, unknown> {
  const { webhook, event, object, person, payload } = input;
  const node = (type: string, id: number) => buildNodeId(domain, types.has(type) ? types.get(type).nodeType : type, id);
  return {
    webhook_id: webhook.id,
    webhook_nodeID: node("webhook", webhook.id),
    account_id: webhook.account,
    account: getAccountUrl(webhook.account),
    name: webhook.name,
    event,
    object_id: object.id,
    object_nodeID: node(object.type, object.id),
    person_id: person?.id ?? null,
    person_nodeID: person === null ? null : node("person", person.id),
    person_name: person?.name ?? null,
    payload,
  };
}

/** The members that payloads of all types have in common. */
export function buildPayload(
  domain: string,
  event: string,
  facts: EventFacts,
  { team, member }: { team: Party | null; member: Party | null },
): Record<string, unknown> {
  const { audit_line_id, note_id, source, sourceID, status, previous_status } = facts;
  return {
    ...(audit_line_id === undefined
      ? {}
      : { audit_line_id, audit_line_nodeID: buildNodeId(domain, "AuditLine", audit_line_id) }),
    ...(note_id === undefined ? {} : { note_id, note_nodeID: buildNodeId(domain, "Note", note_id) }),
    ...(source === undefined ? {} : { source }),
    ...(sourceID === undefined ? {} : { sourceID }),
    ...(status === undefined ? {} : { status }),
    ...(previous_status !== undefined && eventsWithPreviousStatus.has(event) ? { previous_status } : {}),
    ...(team === null ? {} : { team: buildPartyJson(domain, "Team", team) }),
    ...(member === null ? {} : { member: buildPartyJson(domain, "Person", member) }),
  };
}

const buildPartyJson = (domain: string, type: string, { id, name, sourceID, disabled, account }: Party) => ({
  id,
  nodeID: buildNodeId(domain, type, id),
  name,
  ...(sourceID === null ? {} : { sourceID }),
  ...(disabled ? { disabled } : {}),
  account,
});

/** rel="related" is the address of the note. */
export function buildLinkHeader(
  { origin, getAccountUrl, types }: MessageContext,
  { webhook, object, note }: MessageInput,
): string {
  const path = `${types.has(object.type) ? types.get(object.type).collection : object.type}/${object.id}`;
  const links = [
    [`${getAccountUrl(webhook.account)}/${path}`, "canonical"],
    [`${origin}/v1/${path}`, "resource"],
    ...(note === undefined ? [] : [[`${origin}/v1/${path}/notes/${note}`, "related"]]),
  ];
  return links.map(([address, relation]) => `<${address}>; rel="${relation}"`).join(", ");
}
