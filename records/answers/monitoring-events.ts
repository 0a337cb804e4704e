import { integer, noted, object, operations, optional, string } from "../vocabulary/index.ts";
import { recordOf } from "./answer-of.ts";

// Events of monitoring tools, which become requests.

const text = optional(string());
const id = optional(integer());

// biome-ignore format: a table keeps its columns
export const monitoringEventMembers = {
  subject:               noted("what happened", string()),
  category:              noted("incident when a service instance is known, else other", text),
  impact:                noted("top when the category is incident", text),
  status:                noted("assigned", text),
  completion_reason:     noted("when the status is completed", text),
  note:                  noted("text", text),
  internal_note:         noted("text", text),
  source:                noted("the monitoring tool; Event by default", text),
  sourceID:              noted("its name for the event", text),
  ci:                    noted("label of a configuration item; name of software", text),
  ci_id:                 id,
  ci_source:             noted("source of the configuration item", text),
  ci_sourceID:           noted("sourceID of the configuration item", text),
  service_instance:      noted("name; the first one of the configuration item by default", text),
  service_instance_id:   id,
  team:                  noted("name; one that does not exist is as good as none", text),
  team_id:               id,
  member:                noted("primary email address", text),
  member_id:             id,
  requested_by:          noted("primary email address; the caller by default", text),
  requested_by_id:       id,
  requested_for:         noted("primary email address; requested_by by default", text),
  requested_for_id:      id,
  supplier:              noted("name of an organization", text),
  supplier_id:           id,
  supplier_requestID:    noted("text", text),
  problem_id:            id,
  workflow_id:           id,
  template_id:           noted("what the call gives overrides the template", id),
  support_domain:        noted("account, when the caller's person record is in a directory account", text),
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
      "Registers a request, or adds to an open one of the last 24 hours: the one with the same source, service instance and configuration item, or without such an item the one with the same subject, note, source and requester. Parameters may be in the query string as well.",
    body: object(monitoringEventMembers),
    bodyExample: { subject: "Disk full", ci: "srv-0042", note: "/var is at 100 percent.", source: "Monitor" },
    status: 201,
    answer: recordOf("request"),
    otherAnswers: { 200: { answer: recordOf("request") } },
  },
});
