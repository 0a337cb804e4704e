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
  message: noted("In the language of the caller, if it has that translation.", string()),
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
    approvers: noted("The people whose approval it waits for.", strings),
  },
);

const isTotalOld = noted("The total was counted up to a minute ago: changes by others may be missing.", boolean);

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
  in_place_of: noted("The absent person for whom the caller decides.", orNull(string())),
  required: noted("How many approvals are needed.", integer()),
  votes: list(object({ name: string(), status: choice("task_approval.status") })),
  request: orNull(
    object({
      id: integer(),
      subject: string(),
      requested_by: orNull(string()),
      requested_for: orNull(string()),
      note: noted("The first public note; of an order, the reason alone.", orNull(string())),
      lines: list(orderedLine),
    }),
  ),
});

const portalService = partOf("PortalService", "service", [], { name: string(), localized_name: string() });

export type PortalHome = AnswerOf<typeof portalHome>;
export const portalHome = answer("PortalHome", {
  broadcasts: list(portalBroadcast),
  requests: object({
    open: noted("At most three, those that wait for the caller first.", list(portalRequest)),
    open_total: integer(),
    total: integer(),
    is_total_old: isTotalOld,
  }),
  approvals: object({ items: noted("At most three.", list(portalApproval)), total: integer() }),
  templates: noted("Request templates for the caller, the most used first; at most 100.", list(portalTemplate)),
  services: noted("At most 100.", list(portalService)),
  articles: noted("The three that are read and used most.", list(object({ id: integer(), subject: string() }))),
  offers: noted(
    "How many articles can be ordered and how many offerings reserved.",
    object({ shop: integer(), reservations: integer() }),
  ),
});

export type RequestProgress = AnswerOf<typeof requestProgress>;
const requestProgress = answer("RequestProgress", {
  working_at: noted("When work began.", orNull(datetime)),
  approvers: noted("The people whose approval it waits for.", strings),
  same: noted("How many other requests are in its group.", integer()),
  agreement: noted(
    "What the service level agreement promises.",
    orNull(object({ minutes: integer(), impact: orNull(choice("request.impact")) })),
  ),
  may_rate: noted("The caller can rate the solution.", boolean),
  articles: list(object({ id: integer(), subject: string() })),
  lines: noted("What was ordered with it, if the caller may read that.", list(orderedLine)),
  survey: noted(
    "The survey about the service; `url` is the page where the caller answers it, without a session.",
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
      "Broadcasts, open requests, approvals, request templates, services and articles, as the caller may see them.",
    answer: portalHome,
    answers: "The first page.",
  },
  "GET /portal/broadcasts": {
    id: "listPortalBroadcasts",
    tag,
    summary: "List the broadcasts visible to the caller",
    description: "The most severe first.",
    answer: list(portalBroadcast),
    answers: "The broadcasts.",
  },
  "GET /portal/requests": {
    id: "listPortalRequests",
    tag,
    summary: "List the caller's requests",
    query: {
      show: noted(
        "`open` (the default) and `solved`: requested by or for the caller; `shared`: requests of others that the caller watches; `all`: all open ones that the caller may read.",
        optional(word("open", "solved", "shared", "all")),
      ),
    },
    answer: portalRequests,
    answers: "The requests, the latest change first.",
  },
  "GET /portal/requests/:id": {
    id: "getRequestProgress",
    tag,
    summary: "Retrieve the progress of a request",
    description: "What requesters see beyond the fields of the request.",
    answer: requestProgress,
    answers: "The progress.",
  },
  "POST /portal/requests/:id/watchers": {
    id: "addRequestWatcher",
    tag,
    summary: "Share a request with a colleague",
    description: "For those who asked for it. The colleague is named by email address and belongs to the same company.",
    body: object({ email: string() }),
    bodyExample: { email: "kim@widget.example" },
    status: 201,
    answer: addedWatcher,
    answers: "The watch and the colleague.",
  },
  "DELETE /portal/requests/:id/watchers/:watch": {
    id: "removeRequestWatcher",
    tag,
    summary: "Stop sharing a request with a colleague",
    description: "For those who asked for it.",
    answer: null,
  },
  "GET /portal/approvals": {
    id: "listPortalApprovals",
    tag,
    summary: "List the caller's approvals",
    answer: answer("PortalApprovals", { open: list(portalApproval), decided: list(portalApproval) }),
    answers: "Those to decide, and up to 50 earlier ones.",
  },
  "GET /portal/approvals/:id": {
    id: "getPortalApproval",
    tag,
    summary: "Retrieve an approval with its record",
    description: "`id` is that of the task. 403 if the caller is not asked for it. PATCH of the task decides.",
    answer: portalApproval,
    answers: "The approval.",
  },
});
