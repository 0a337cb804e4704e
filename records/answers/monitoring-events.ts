import { integer, noted, object, operations, optional, string } from "../vocabulary/index.ts";
import { recordOf } from "./answer-of.ts";

// Events of monitoring tools, which become requests.

const text = optional(string());
const id = optional(integer());

// biome-ignore format: a table keeps its columns
export const monitoringEventMembers = {
  subject:               noted("what happened", string()),
  category:              noted("incident if the service instance is known, otherwise other", text),
  impact:                noted("top if the category is incident", text),
  status:                noted("assigned", text),
  completion_reason:     noted("only if the status is completed", text),
  note:                  noted("text", text),
  internal_note:         noted("text", text),
  source:                noted("the monitoring tool; Event by default", text),
  sourceID:              noted("the identifier of the event in the monitoring tool", text),
  ci:                    noted("label of a configuration item, or name of a software item", text),
  ci_id:                 id,
  ci_source:             noted("source of the configuration item", text),
  ci_sourceID:           noted("sourceID of the configuration item", text),
  service_instance:      noted("name; default: the first service instance of the configuration item", text),
  service_instance_id:   id,
  team:                  noted("name; ignored if no such team exists", text),
  team_id:               id,
  member:                noted("primary email address", text),
  member_id:             id,
  requested_by:          noted("primary email address; default: the caller", text),
  requested_by_id:       id,
  requested_for:         noted("primary email address; default: requested_by", text),
  requested_for_id:      id,
  supplier:              noted("name of an organization", text),
  supplier_id:           id,
  supplier_requestID:    noted("text", text),
  problem_id:            id,
  workflow_id:           id,
  template_id:           noted("values in the call override those of the template", id),
  support_domain:        noted("id of the account, if the caller's person record is in a directory account", text),
  desired_completion_at: text,
  downtime_start_at:     text,
  downtime_end_at:       text,
  waiting_until:         text,
};

export const monitoringEventOperations = operations({
  "POST /events": {
    id: "postEvent",
    summary: "Report a monitoring event",
    tag: "Requests",
    description:
      "Registers a request, or adds to an open request of the last 24 hours that has the same source, service instance and configuration item. If the event has no configuration item, the subject, note, source and requester must match. Parameters can also be sent in the query string.",
    body: object(monitoringEventMembers),
    bodyExample: { subject: "Disk full", ci: "srv-0042", note: "/var is at 100 percent.", source: "Monitor" },
    status: 201,
    answer: recordOf("request"),
    otherAnswers: { 200: { answer: recordOf("request") } },
  },
});
