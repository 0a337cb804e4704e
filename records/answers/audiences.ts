import {
  answer,
  boolean,
  integer,
  list,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
} from "../vocabulary/index.ts";
import { recordOf, referenceTo } from "./answer-of.ts";

// The people whom a broadcast reaches and whom an SLA covers, and the subscription to the request group of a broadcast.

export const audienceMember = object({
  id: integer({ min: 1 }),
  nodeID: string(),
  name: string(),
  organization: orNull(referenceTo("organization")),
  site: orNull(referenceTo("site")),
  disabled: boolean,
  account: noted("Only for people from another account.", optional(object({ id: string(), name: string() }))),
});
const count = integer({ min: 0 });

export const audience = answer("Audience", {
  count: noted("Number of people who see the broadcast while it is shown, or whom the SLA covers.", count),
  online: noted("Number of these people who were active in the last five minutes.", count),
  seen: noted("Number of people who have seen the banner. Only for saved broadcasts.", optional(count)),
  sample: noted("The first people by name that the caller can read.", list(audienceMember)),
});

const found = {
  answer: audience,
  answers: "The size of the audience and a sample of its people.",
  example: {
    count: 611,
    online: 48,
    sample: [{ id: 5, nodeID: "cGVyc29uLzU", name: "Rita Requester", organization: null, site: null, disabled: false }],
  },
} as const;
const ids = optional(list(integer(), 1000));

export const audienceOperations = operations({
  "GET /broadcasts/:id/audience": {
    id: "getAudienceOfBroadcast",
    summary: "List the audience of a broadcast",
    description:
      "Uses the same rule that decides who sees the broadcast. Available to people who can write broadcasts.",
    ...found,
  },
  "POST /broadcasts/audience": {
    id: "previewAudienceOfBroadcast",
    summary: "Preview the audience of a broadcast",
    description: "Previews the audience of an unsaved broadcast. Nothing is stored.",
    body: object({
      visibility: noted("A value of the `broadcast.visibility` enumeration.", optional(string())),
      customer_ids: ids,
      organization_ids: ids,
      service_instance_ids: ids,
      site_ids: ids,
      skill_pool_ids: ids,
      team_ids: ids,
    }),
    bodyExample: { visibility: "sites", site_ids: [1] },
    ...found,
  },
  "GET /slas/:id/audience": {
    id: "getAudienceOfSla",
    summary: "List the people covered by an SLA",
    description:
      "Returns the people included in the SLA's coverage, whether or not the SLA is active. Available to people who can update the SLA.",
    ...found,
  },
  "GET /services/:id/uncovered_people": {
    id: "getUncoveredPeopleOfService",
    summary: "List the people not covered by any SLA of a service",
    description:
      "Returns people for whom a request was made for an instance of the service in the last 90 days although no active SLA covers them. Available to people who can write SLAs.",
    ...found,
  },
  "POST /slas/audience": {
    id: "previewAudienceOfSla",
    summary: "Preview the people covered by an SLA",
    description: "Previews the audience of an unsaved SLA. Nothing is stored.",
    body: object({
      coverage: noted("A value of the `sla.coverage` enumeration.", optional(string())),
      customer_account_id: optional(string()),
      service_instance_id: optional(integer()),
      organization_ids: ids,
      site_ids: ids,
      person_ids: ids,
      skill_pool_ids: ids,
      service_instance_ids: ids,
    }),
    bodyExample: { coverage: "sites", site_ids: [1] },
    ...found,
  },
});

export const subscriptionOperations = operations({
  "POST /broadcasts/:id/subscribe": {
    id: "subscribeToBroadcast",
    summary: "Join the request group of a broadcast",
    description:
      "Creates a request for the caller in the group and responds with 201. If the caller already has a request in the group, responds with 200 and that request.",
    status: 201,
    answer: recordOf("request"),
    otherAnswers: { 200: { answer: recordOf("request") } },
  },
});
