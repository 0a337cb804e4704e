import { not, oneOf } from "../vocabulary/conditions.ts";
import {
  at,
  became,
  before,
  changed,
  created,
  deleted,
  happened,
  holdersOf,
  inEach,
  mentioned,
  type Notification,
  named,
  reached,
  told,
} from "../vocabulary/notifications.ts";

// Who is told by mail of what. Reference: enumerations.md, "email_template.trigger", and the notifications that
// lifecycles.md names. A person who is told of one change for several reasons gets one mail, with the subject of the
// first row: the rows stand in the order of their weight.

const watchers = inEach("watch", "request", "person");
const approvers = inEach("task_approval", "task", "approver");
const assignees = inEach("project_task_assignment", "project_task", "assignee");
const written = { internal: false, quiet: false, medium: not("system") };
const unfinished = not("failed", "rejected", "completed", "approved", "canceled");
const handedOut = not("registered", "failed", "rejected", "completed", "approved", "canceled");
const byPeople = not("automation", "approval");
const note = happened("note-added", "note");
const absence = ["person", "start_at", "end_at"];
const notesOf = [
  "note.request",
  "note.problem",
  "note.release",
  "note.workflow",
  "note.task",
  "note.project",
  "note.project_task",
  "note.risk",
];

// biome-ignore format: a table keeps its columns
export const notifications: readonly Notification[] = [
  // lifecycles.md section 4: regardless of preferences (MI1)
  { trigger: "request/major_incident_status_changed", on: "request", when: [told], to: [named], regardless: true },

  // sla-clock.md O2
  { trigger: "request/upcoming_asla_response_target",   on: "request", when: [told], to: [named] },
  { trigger: "request/upcoming_asla_resolution_target", on: "request", when: [told], to: [named] },

  // lifecycles.md section 2
  { trigger: "request/wfc_completion",            on: "request", when: [became("status", "completed")],            if: { completion_reason: "no_reply" },      to: at("requested_by", "requested_for") },
  { trigger: "request/completed",                 on: "request", when: [became("status", "completed")],            if: { completion_reason: not("no_reply") }, to: at("requested_by", "requested_for") },
  { trigger: "request/waiting_for_customer",      on: "request", when: [became("status", "waiting_for_customer")], to: at("requested_by", "requested_for") },
  { trigger: "request/wfc_reminder",              on: "request", when: [told],                                     to: at("requested_by") },
  { trigger: "request/requester_dissatisfied",    on: "request", when: [told],                                     to: [holdersOf("service_desk_manager")] },
  { trigger: "request/new_request_requested_for", on: "request", when: [created],                                  to: at("requested_for"), text: "new_request" },
  { trigger: "request/new_request_requested_by",  on: "request", when: [created],                                  to: at("requested_by"),  text: "new_request" },
  // import-export.md section 4.3: also to the sender, who may not be the one who wrote
  { trigger: "request/new_request_generated_from_non_primary_email", on: "request", when: [told],                  to: [named] },
  { trigger: "request/member_assignment",         on: "request", when: [changed("member")], if: { status: not("completed") }, to: at("member") },
  { trigger: "request/member_reassignment",       on: "request", when: [changed("member")], was: { member: "present" },       to: [before("member")] },
  { trigger: "request/team_assignment",           on: "request", when: [changed("team")],   if: { member: null, status: not("completed") }, to: at("team.coordinator"), asTeam: true },
  { trigger: "request/desired_completion",        on: "request", when: [changed("desired_completion_at")], if: { desired_completion_at: "present" }, to: at("requested_by") },
  { trigger: "request/desired_completion",        on: "request", when: [changed("desired_completion_at")], if: { desired_completion_at: null }, was: { desired_completion_at: "present" }, to: at("requested_by"), text: "desired_completion_removed" },
  { trigger: "request/added_to_product_backlog",  on: "request", when: [changed("product_backlog")], to: at("product_backlog.product_owner") },
  { trigger: "request/new_mention",               on: "request", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "request/new_note",                  on: "request", when: [note], if: written,                        to: at("requested_by", "requested_for", "member") },
  { trigger: "request/new_note",                  on: "request", when: [note], if: { ...written, internal: true }, to: at("member") },
  { trigger: "request/new_note",                  on: "request", when: [note], if: { quiet: false, medium: not("system"), member: null }, to: at("team.coordinator"), asTeam: true },

  // lifecycles.md section 12
  { trigger: "problem/progress_halted",          on: "problem", when: [became("status", "progress_halted")], to: at("manager") },
  { trigger: "problem/solved",                   on: "problem", when: [became("status", "solved")],          to: at("manager") },
  { trigger: "problem/manager_changed",          on: "problem", when: [changed("manager")],                  to: at("manager") },
  { trigger: "problem/member_assignment",        on: "problem", when: [changed("member")], if: { status: not("solved") },  to: at("member") },
  { trigger: "problem/member_reassignment",      on: "problem", when: [changed("member")], was: { member: "present" },     to: [before("member")] },
  { trigger: "problem/team_assignment",          on: "problem", when: [changed("team")],   if: { member: null },           to: at("team.coordinator"), asTeam: true },
  { trigger: "problem/added_to_product_backlog", on: "problem", when: [changed("product_backlog")], to: at("product_backlog.product_owner") },
  { trigger: "problem/new_mention",              on: "problem", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "problem/new_note",                 on: "problem", when: [note], if: written, to: at("manager", "member") },

  // lifecycles.md section 14
  { trigger: "release/progress_halted",  on: "release",  when: [became("status", "progress_halted")], to: at("manager") },
  { trigger: "release/manager_changed",  on: "release",  when: [changed("manager")], to: at("manager") },
  { trigger: "release/workflow_added",   on: "workflow", when: [changed("release")], to: at("release.manager") },
  { trigger: "release/workflow_removed", on: "workflow", when: [changed("release")], was: { release: "present" }, to: [before("release.manager")] },
  { trigger: "release/new_mention",      on: "release",  when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "release/new_note",         on: "release",  when: [note], if: written, to: at("manager") },

  // lifecycles.md WF7, WF11
  { trigger: "workflow/progress_halted", on: "workflow", when: [became("status", "progress_halted")], to: at("manager") },
  { trigger: "workflow/new_workflow",    on: "workflow", when: [created],            to: at("manager") },
  { trigger: "workflow/manager_changed", on: "workflow", when: [changed("manager")], to: at("manager") },
  { trigger: "workflow/new_mention",     on: "workflow", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "workflow/new_note",        on: "workflow", when: [note], if: written, to: at("manager") },

  // lifecycles.md sections 5 and 6: approvers (AP2, AP9), nobody for an automation task (TA1)
  { trigger: "task/approver_assignment", on: "task_approval", when: [became("status", "assigned")], to: at("approver"), about: ["task"] },
  { trigger: "task/member_assignment",   on: "task", when: [became("status", "assigned"), changed("member")], if: { category: byPeople, status: handedOut }, to: at("member") },
  { trigger: "task/member_reassignment", on: "task", when: [changed("member")], if: { category: byPeople, status: handedOut }, was: { member: "present" }, to: [before("member")] },
  { trigger: "task/team_assignment",     on: "task", when: [became("status", "assigned"), changed("team")], if: { category: byPeople, status: handedOut, member: null }, to: at("team.coordinator"), asTeam: true },
  { trigger: "task/new_mention",         on: "task", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "task/new_note",            on: "task", when: [note], if: written, to: [...at("member", "manager"), approvers] },

  // lifecycles.md section 11
  { trigger: "project/progress_halted", on: "project", when: [became("status", "progress_halted")], to: at("manager") },
  { trigger: "project/new_project",     on: "project", when: [created],            to: at("manager") },
  { trigger: "project/manager_changed", on: "project", when: [changed("manager")], to: at("manager") },
  { trigger: "project/new_mention",     on: "project", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "project/new_note",        on: "project", when: [note], if: written, to: at("manager") },
  { trigger: "project_task/milestone_reached", on: "project_task", when: [became("status", "completed")], if: { category: "milestone" }, to: at("manager") },
  { trigger: "project_task/milestone_missed",  on: "project_task", when: [reached("deadline")], if: { category: "milestone", status: unfinished }, to: at("manager") },
  { trigger: "project_task/approver_assignment", on: "project_task_assignment", when: [became("status", "assigned")], to: at("assignee"), about: ["project_task"], aboutIs: { category: "approval" } },
  { trigger: "project_task/assignment",        on: "project_task_assignment", when: [became("status", "assigned")], to: at("assignee"), about: ["project_task"], aboutIs: { category: not("approval") } },
  { trigger: "project_task/reassignment",      on: "project_task_assignment", when: [deleted], was: { status: handedOut }, to: [before("assignee")], about: ["project_task"], text: "member_reassignment" },
  { trigger: "project_task/team_assignment",   on: "project_task", when: [became("status", "assigned"), changed("team")], if: { status: handedOut, category: not("approval") }, to: at("team.coordinator"), asTeam: true },
  { trigger: "project_task/new_mention",       on: "project_task", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "project_task/new_note",          on: "project_task", when: [note], if: written, to: [...at("manager"), assignees] },

  // lifecycles.md section 13
  { trigger: "risk/new_risk",        on: "risk", when: [created],            to: at("manager") },
  { trigger: "risk/manager_changed", on: "risk", when: [changed("manager")], to: at("manager") },
  { trigger: "risk/new_mention",     on: "risk", when: [note], if: { copied: false }, to: [mentioned] },
  { trigger: "risk/new_note",        on: "risk", when: [note], if: written, to: at("manager") },

  { trigger: "note/new_note_reaction", on: "note_reaction", when: [created], to: at("note.person"), about: notesOf },

  // recurrence.md G6
  { trigger: "workflow_template/recurrence_failed", on: "workflow_template", when: [told], to: [named], says: ["subject"] },
  { trigger: "ci/recurrence_failed",                on: "ci",                when: [told], to: [named], says: ["name"] },

  // lifecycles.md AB6
  { trigger: "agile_board/wip_limit_exceeded",     on: "agile_board",     when: [told], to: at("manager") },
  { trigger: "agile_board/manager_changed",        on: "agile_board",     when: [changed("manager")],       to: at("manager") },
  { trigger: "product_backlog/product_owner_changed", on: "product_backlog", when: [changed("product_owner")], to: at("product_owner") },

  { trigger: "sla/activated",      on: "sla",      when: [became("status", "active")],  to: at("service_level_manager") },
  { trigger: "sla/expired",        on: "sla",      when: [became("status", "expired")], to: at("service_level_manager") },
  { trigger: "flsa/activated",     on: "flsa",     when: [became("status", "active")],  to: at("customer_rep") },
  { trigger: "flsa/expired",       on: "flsa",     when: [became("status", "expired")], to: at("customer_rep") },
  { trigger: "contract/activated", on: "contract", when: [became("status", "active")],  to: at("customer_rep") },
  { trigger: "contract/expired",   on: "contract", when: [became("status", "expired")], to: at("customer_rep") },

  { trigger: "reservation/pending",   on: "reservation", when: [became("status", "pending")],   to: at("person") },
  { trigger: "reservation/confirmed", on: "reservation", when: [became("status", "confirmed")], to: at("person") },
  { trigger: "reservation/canceled",  on: "reservation", when: [became("status", "canceled")],  to: at("person") },
  { trigger: "reservation/ended",     on: "reservation", when: [became("status", "ended")],     to: at("person") },
  { trigger: "reservation/changed",   on: "reservation", when: [changed("start_at", "end_at")], if: { status: oneOf("pending", "confirmed", "being_prepared", "active") }, was: { start_at: "present" }, to: at("person") },

  { trigger: "out_of_office_period/added_as_delegate",   on: "out_of_office_period", when: [changed("approval_delegate")], to: at("approval_delegate"), says: absence },
  { trigger: "out_of_office_period/delegate_defined",    on: "out_of_office_period", when: [changed("approval_delegate")], if: { approval_delegate: "present" }, to: at("person"), says: [...absence, "approval_delegate"] },
  { trigger: "out_of_office_period/removed_as_delegate", on: "out_of_office_period", when: [changed("approval_delegate"), deleted], was: { approval_delegate: "present" }, to: [before("approval_delegate")], says: absence },

  // records/requests.md, "Watch"
  { trigger: "watchlist/added_to_watchlist",     on: "watch",   when: [created], to: at("person"),       about: ["request"] },
  { trigger: "watchlist/removed_from_watchlist", on: "watch",   when: [deleted], to: [before("person")], about: ["request"] },
  { trigger: "watchlist/item_updated",           on: "request", when: [changed("status", "team", "member")], was: { status: "present" }, to: [watchers] },
  { trigger: "watchlist/item_updated",           on: "request", when: [note], if: { internal: false, medium: not("system") }, to: [watchers] },
];
