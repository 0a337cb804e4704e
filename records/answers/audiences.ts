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
  account: noted(
    "Only of people of another account than that of the call.",
    optional(object({ id: string(), name: string() })),
  ),
});
const count = integer({ min: 0 });

export const audience = answer("Audience", {
  count: noted("People who see the broadcast while it is shown, or whom the SLA covers.", count),
  online: noted("Those of them who were seen in the last five minutes.", count),
  seen: noted("People to whom the banner of a saved broadcast was shown.", optional(count)),
  sample: noted("The first of them by name that the caller may read.", list(audienceMember)),
});

const found = {
  answer: audience,
  answers: "The size of the audience, and some of it.",
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
    description: "By the rule that shows it to people. For those who may write broadcasts.",
    ...found,
  },
  "POST /broadcasts/audience": {
    id: "previewAudienceOfBroadcast",
    summary: "Preview the audience of a broadcast",
    description: "The same for a broadcast that is not saved; nothing is kept.",
    body: object({
      visibility: noted("A value of enumeration `broadcast.visibility`.", optional(string())),
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
    description: "People whom its coverage includes, whether it is in force or not. For those who may change the SLA.",
    ...found,
  },
  "GET /services/:id/uncovered_people": {
    id: "getUncoveredPeopleOfService",
    summary: "List the people not covered by any SLA of a service",
    description:
      "People for whom an instance of the service was asked for in the last 90 days, though no SLA in force covers them. For those who may write SLAs.",
    ...found,
  },
  "POST /slas/audience": {
    id: "previewAudienceOfSla",
    summary: "Preview the people covered by an SLA",
    description: "The same for an SLA that is not saved; nothing is kept.",
    body: object({
      coverage: noted("A value of enumeration `sla.coverage`.", optional(string())),
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
      "The caller gets a request of their own in the group: 201. A caller who is part of the group already gets that request: 200.",
    status: 201,
    answer: recordOf("request"),
    otherAnswers: { 200: { answer: recordOf("request") } },
  },
});
