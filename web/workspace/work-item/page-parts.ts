import type { Row } from "../../api/index.ts";
import type { MessageKey } from "../../languages/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";

// The pages of requests, problems, releases, risks, tasks, workflows and projects have one frame. This table lists
// their differences.

export type PanelName =
  | "order lines"
  | "release plan"
  | "risk matrix"
  | "task step"
  | "task decision"
  | "task instructions"
  | "task approvers"
  | "task neighbours";

/** The tabs of a page without a timeline of its own. */
export type TabName = "both" | "gantt" | "graph" | "history" | "linked" | "list" | "notes" | "plan" | "risks" | "tasks";

type PageTabs = {
  label: MessageKey;
  /** the tabs in order, with their labels */
  names: readonly (readonly [TabName, MessageKey])[];
  /** the default tab */
  first: TabName;
  firstOnPhone: TabName;
};

export type PageParts = {
  /** tabs below the header; absent: the timeline with the composer */
  tabs?: PageTabs;
  /** false: "Complete" is rare, and only in the menu; absent means true */
  isCompletedInBar?: boolean;
  /** the page opens at the panels above the timeline, not at the newest note */
  startsAtTop?: boolean;
  /** always shown, in this order */
  always: readonly string[];
  /** shown if they have a value; the others are offered under "Add a field" */
  filled: readonly string[];
  /** the fields with a target; the first that has a value counts */
  targets: readonly string[];
  /** the field of the requester */
  requester: string | null;
  /** texts above the timeline */
  blocks: readonly string[];
  /** above the subject */
  head?: PanelName;
  /** panels above the timeline */
  panels: readonly PanelName[];
  /** beside the timeline, above and below the properties */
  sideTop?: readonly PanelName[];
  sideBottom?: readonly PanelName[];
  /** a line below the properties that names the ones derived from other records */
  derivedFrom: "workflows" | null;
  /** the status that "Complete" sets, and the fields that it asks for */
  completed: { status: string; asks: readonly string[] } | null;
  /** false: no member accepts the record; absent means true */
  isAccepted?: boolean;
  /** the statuses that a note can set besides completing it; absent: in progress, waiting for customer */
  nextStates?: readonly string[];
  hasInternalNotes: boolean;
  hasClocks: boolean;
  /** linked lists below the properties, by the name of the list, and references shown among them */
  lists: readonly string[];
  references: readonly string[];
};

// biome-ignore format: a table keeps its columns
const parts = {
  request: {
    always: ["status", "impact", "team", "member", "service_instance", "category"],
    filled: ["waiting_until", "desired_completion_at", "template", "completion_reason", "closure_code", "supplier", "supplier_requestID", "rfc_type", "planned_effort", "urgent", "downtime_start_at", "downtime_end_at", "major_incident_status"],
    targets: ["next_target_at"],
    requester: "requested_for",
    blocks: [],
    panels: [],
    derivedFrom: null,
    completed: { status: "completed", asks: ["completion_reason", "closure_code", "knowledge_article"] },
    hasInternalNotes: true,
    hasClocks: true,
    lists: ["cis", "grouped_requests", "watches"],
    references: ["problem", "workflow", "project", "grouped_into", "knowledge_article", "task", "agile_board"],
  },
  problem: {
    always: ["status", "impact", "category", "service", "team", "member", "manager", "known_error"],
    filled: ["analysis_target_at", "waiting_until", "supplier", "supplier_requestID", "solved_at", "planned_effort", "urgent"],
    targets: ["analysis_target_at"],
    requester: null,
    blocks: ["workaround"],
    panels: [],
    derivedFrom: null,
    completed: { status: "solved", asks: [] },
    hasInternalNotes: false,
    hasClocks: false,
    lists: ["requests", "cis", "service_instances"],
    references: ["knowledge_article", "workflow", "project", "product_backlog"],
  },
  release: {
    always: ["status", "impact", "manager"],
    filled: ["completion_target_at", "completion_reason", "start_at"],
    targets: ["completion_target_at"],
    requester: null,
    blocks: [],
    panels: ["release plan"],
    derivedFrom: "workflows",
    completed: null,
    hasInternalNotes: false,
    hasClocks: false,
    lists: ["workflows"],
    references: [],
  },
  risk: {
    always: ["severity", "status", "manager", "mitigation_target_at"],
    filled: ["closure_reason"],
    targets: [],
    requester: null,
    blocks: [],
    panels: ["risk matrix"],
    derivedFrom: null,
    completed: null,
    hasInternalNotes: false,
    hasClocks: false,
    lists: ["organizations", "services", "projects"],
    references: [],
  },
  workflow: {
    always: ["status", "manager", "impact", "category", "justification", "workflow_type", "service"],
    filled: ["completion_reason", "start_at", "completion_target_at", "planned_effort", "actual_effort", "prevent_request_completion"],
    targets: [],
    requester: null,
    blocks: [],
    panels: [],
    derivedFrom: null,
    completed: { status: "completed", asks: ["completion_reason"] },
    nextStates: [],
    hasInternalNotes: false,
    hasClocks: false,
    lists: ["requests", "problems"],
    references: ["project", "release", "template"],
    isCompletedInBar: false,
    tabs: {
      label: "workflow.views",
      names: [["both", "workflow.tab.both"], ["graph", "workflow.tab.graph"], ["gantt", "workflow.tab.gantt"], ["list", "workflow.tab.list"], ["notes", "workflow.tab.notes"], ["history", "workflow.tab.history"]],
      first: "both",
      firstOnPhone: "list",
    },
  },
  project: {
    always: ["status", "manager", "service", "customer", "category", "risk_level", "justification", "program"],
    filled: ["completion_reason", "effort", "cost_of_effort", "cost_of_purchases", "total_cost", "value", "roi", "completion_target_at"],
    targets: [],
    requester: null,
    blocks: [],
    panels: [],
    derivedFrom: null,
    completed: { status: "completed", asks: ["completion_reason"] },
    hasInternalNotes: false,
    hasClocks: false,
    lists: ["risks", "workflows", "requests", "problems"],
    references: [],
    tabs: {
      label: "projects.views",
      names: [["plan", "projects.tab.plan"], ["tasks", "projects.tab.tasks"], ["risks", "projects.tab.risks"], ["linked", "projects.tab.linked"], ["notes", "projects.tab.notes"], ["history", "projects.tab.history"]],
      first: "plan",
      firstOnPhone: "tasks",
    },
  },
  task: {
    always: ["status", "impact", "completion_target_at", "planned_duration", "team", "member"],
    filled: ["planned_effort", "start_at", "waiting_until", "phase", "failure_task", "supplier", "supplier_requestID", "skill_pool", "urgent", "work_hours_are_24x7"],
    targets: [],
    requester: null,
    blocks: [],
    startsAtTop: true,
    head: "task step",
    panels: ["task decision", "task instructions"],
    sideTop: ["task approvers"],
    sideBottom: ["task neighbours"],
    derivedFrom: null,
    completed: { status: "completed", asks: [] },
    nextStates: ["in_progress"],
    hasInternalNotes: false,
    hasClocks: false,
    lists: ["cis", "service_instances"],
    references: ["request", "workflow", "agile_board"],
  },
} as const satisfies Readonly<Record<string, PageParts>>;

/** The types that use the work item page. */
export const workItemTypes: readonly string[] = Object.keys(parts);
const partsByType: ReadonlyMap<string, PageParts> = new Map(Object.entries(parts));

/** Approvers vote, so an approval is neither accepted nor completed. */
const approvalParts: Partial<PageParts> = {
  always: ["status", "impact", "completion_target_at", "planned_duration", "team"],
  filled: ["member", ...parts.task.filled, "required_approvals"],
  completed: null,
  isAccepted: false,
};

/** An order from the cart, or a request that delivers one of its lines. */
const isOrdered = (row: Row): boolean => row.category === "order" || row.source === "shop";

export function getPageParts(type: string, row?: Row): PageParts {
  const found = partsByType.get(type) ?? parts.request;
  if (type === "request" && row !== undefined && isOrdered(row)) return { ...found, panels: ["order lines"] };
  return type === "task" && row?.category === "approval" ? { ...found, ...approvalParts } : found;
}

const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "id" in value;

export const getReference = (row: Row, field: string): Reference | null => {
  const value = row[field];
  return isReference(value) ? value : null;
};
export const getReferencedName = (row: Row, field: string): string => {
  const found = getReference(row, field);
  return found === null ? "" : getReferenceName(found);
};
export const readText = (row: Row, field: string): string => (typeof row[field] === "string" ? row[field] : "");

export const isClosed = (status: string): boolean =>
  ["completed", "solved", "closed", "canceled", "declined", "approved", "rejected", "failed"].includes(status);
