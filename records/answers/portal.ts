import {
  answer,
  boolean,
  choice,
  datetime,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";
import { type AnswerOf, partOf } from "./answer-of.ts";
import { portalTemplate } from "./portal-forms.ts";
import { orderedLine } from "./portal-offers.ts";

// The portal: what people who ask for help see of the account, and of their requests and approvals.

const tag = "Portal";

export type PortalBroadcast = AnswerOf<typeof portalBroadcast>;
export const portalBroadcast = partOf("PortalBroadcast", "broadcast", ["request", "start_at", "end_at"], {
  message: noted("In the caller's language, if a translation exists.", string()),
  message_type: choice("broadcast.message_type"),
  updated_at: datetime,
});

export type PortalRequest = AnswerOf<typeof portalRequest>;
export const portalRequest = partOf(
  "PortalRequest",
  "request",
  [
    ...(["completion_reason", "requested_by", "requested_for", "team", "member", "service_instance"] as const),
    ...(["requester_resolution_target_at", "waiting_until", "completed_at", "satisfaction"] as const),
  ],
  {
    subject: string(),
    status: choice("request.status"),
    category: choice("request.category"),
    created_at: datetime,
    updated_at: datetime,
    approvers: noted("The people whose approval is pending.", strings),
  },
);

const isTotalOld = noted(
  "The total was counted up to a minute ago, so recent changes by others may be missing.",
  boolean,
);

export type PortalRequests = AnswerOf<typeof portalRequests>;
const portalRequests = answer("PortalRequests", {
  items: noted("At most 50.", list(portalRequest)),
  total: integer(),
  is_total_old: isTotalOld,
});

export type PortalApproval = AnswerOf<typeof portalApproval>;
export const portalApproval = answer("PortalApproval", {
  task: integer(),
  subject: string(),
  status: choice("task.status"),
  instructions: orNull(string()),
  due_at: orNull(datetime),
  finished_at: orNull(datetime),
  workflow: orNull(string()),
  asked_by: orNull(string()),
  in_place_of: noted("The absent person on whose behalf the caller decides.", orNull(string())),
  required: noted("Number of required approvals.", integer()),
  votes: list(object({ name: string(), status: choice("task_approval.status") })),
  request: orNull(
    object({
      id: integer(),
      subject: string(),
      requested_by: orNull(string()),
      requested_for: orNull(string()),
      note: noted("The first public note; for an order, only the reason.", orNull(string())),
      lines: list(orderedLine),
    }),
  ),
});

const portalService = partOf("PortalService", "service", [], { name: string(), localized_name: string() });

export type PortalHome = AnswerOf<typeof portalHome>;
export const portalHome = answer("PortalHome", {
  broadcasts: list(portalBroadcast),
  requests: object({
    open: noted("At most three; requests waiting for the caller come first.", list(portalRequest)),
    open_total: integer(),
    total: integer(),
    is_total_old: isTotalOld,
  }),
  approvals: object({ items: noted("At most three.", list(portalApproval)), total: integer() }),
  templates: noted("At most 100 request templates available to the caller, most used first.", list(portalTemplate)),
  services: noted("At most 100.", list(portalService)),
  articles: noted("The three most read and used articles.", list(object({ id: integer(), subject: string() }))),
  offers: noted(
    "Number of articles that can be ordered, and of offerings that can be reserved.",
    object({ shop: integer(), reservations: integer() }),
  ),
});

export type RequestProgress = AnswerOf<typeof requestProgress>;
const requestProgress = answer("RequestProgress", {
  working_at: noted("When work on the request started.", orNull(datetime)),
  approvers: noted("The people whose approval is pending.", strings),
  same: noted("Number of other requests in the same group.", integer()),
  agreement: noted(
    "The target promised by the service level agreement.",
    orNull(object({ minutes: integer(), impact: orNull(choice("request.impact")) })),
  ),
  may_rate: noted("The caller can rate the solution.", boolean),
  articles: list(object({ id: integer(), subject: string() })),
  lines: noted("The order lines of the request, if the caller can read them.", list(orderedLine)),
  survey: noted(
    "The survey about the service; `url` is the page where the caller can respond without a session.",
    orNull(object({ name: string(), service: string(), url: string() })),
  ),
});

export type AddedWatcher = AnswerOf<typeof addedWatcher>;
const addedWatcher = answer("AddedWatcher", { id: integer(), person: named });

export const portalOperations = operations({
  "GET /portal": {
    id: "getPortal",
    tag,
    summary: "Retrieve the portal home page",
    description:
      "Returns the broadcasts, open requests, approvals, request templates, services and articles that the caller can see.",
    answer: portalHome,
    answers: "The content of the portal's home page.",
  },
  "GET /portal/broadcasts": {
    id: "listPortalBroadcasts",
    tag,
    summary: "List the broadcasts visible to the caller",
    description: "Sorted by severity, most severe first.",
    answer: list(portalBroadcast),
    answers: "A list of broadcasts.",
  },
  "GET /portal/requests": {
    id: "listPortalRequests",
    tag,
    summary: "List the caller's requests",
    query: {
      show: noted(
        "`open` (default) and `solved`: requests by or for the caller; `shared`: requests of others that the caller watches; `all`: all open requests that the caller can read.",
        optional(word("open", "solved", "shared", "all")),
      ),
    },
    answer: portalRequests,
    answers: "A list of requests, most recently changed first.",
  },
  "GET /portal/requests/:id": {
    id: "getRequestProgress",
    tag,
    summary: "Retrieve the progress of a request",
    description: "Returns what requesters see in addition to the fields of the request.",
    answer: requestProgress,
    answers: "The progress of the request.",
  },
  "POST /portal/requests/:id/watchers": {
    id: "addRequestWatcher",
    tag,
    summary: "Share a request with a colleague",
    description:
      "Available to the requesters of the request. The colleague is identified by email address and must belong to the same company.",
    body: object({ email: string() }),
    bodyExample: { email: "kim@widget.example" },
    status: 201,
    answer: addedWatcher,
    answers: "The watch and the added colleague.",
  },
  "DELETE /portal/requests/:id/watchers/:watch": {
    id: "removeRequestWatcher",
    tag,
    summary: "Stop sharing a request with a colleague",
    description: "Available to the requesters of the request.",
    answer: null,
  },
  "GET /portal/approvals": {
    id: "listPortalApprovals",
    tag,
    summary: "List the caller's approvals",
    answer: answer("PortalApprovals", { open: list(portalApproval), decided: list(portalApproval) }),
    answers: "The pending approvals, and up to 50 decided ones.",
  },
  "GET /portal/approvals/:id": {
    id: "getPortalApproval",
    tag,
    summary: "Retrieve an approval with its record",
    description:
      "`id` is the id of the task. Responds with 403 if the caller's approval isn't requested. To approve or reject, PATCH the task.",
    answer: portalApproval,
    answers: "The approval.",
  },
});
