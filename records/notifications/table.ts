import { not, oneOf } from "../vocabulary/conditions.ts";
import {
  became,
  changed,
  created,
  deleted,
  extraEvent,
  mentionedPeople,
  type Notification,
  peopleInEach,
  peopleNamedByRule,
  personAt,
  personBefore,
  raisedByRule,
  reached,
  roleHolders,
} from "../vocabulary/notifications.ts";

// Who gets which email (NO1). A person with several notifications about one change gets one email, with the subject
// of the first row: the rows are in the order of their importance.

const watchers = peopleInEach("watch", "request", "person");
const approvers = peopleInEach("task_approval", "task", "approver");
const assignees = peopleInEach("project_task_assignment", "project_task", "assignee");
const publicNote = { internal: false, quiet: false, medium: not("system") };
const unfinishedStates = not("failed", "rejected", "completed", "approved", "canceled");
const assignedStates = not("registered", "failed", "rejected", "completed", "approved", "canceled");
const manualCategories = not("automation", "approval");
const noteAdded = extraEvent("note-added", "note");
const absenceFields = ["person", "start_at", "end_at"];
const noteParentPaths = [
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
  // MI1: regardless of preferences
  { trigger: "request/major_incident_status_changed", on: "request", when: [raisedByRule], to: [peopleNamedByRule], ignoresPreferences: true },

  // FU2
  { trigger: "request/upcoming_asla_response_target",   on: "request", when: [raisedByRule], to: [peopleNamedByRule] },
  { trigger: "request/upcoming_asla_resolution_target", on: "request", when: [raisedByRule], to: [peopleNamedByRule] },

  // RQ1 to RQ24, R1 to R34
  { trigger: "request/wfc_completion",            on: "request", when: [became("status", "completed")],            if: { completion_reason: "no_reply" },      to: personAt("requested_by", "requested_for") },
  { trigger: "request/completed",                 on: "request", when: [became("status", "completed")],            if: { completion_reason: not("no_reply") }, to: personAt("requested_by", "requested_for") },
  { trigger: "request/waiting_for_customer",      on: "request", when: [became("status", "waiting_for_customer")], to: personAt("requested_by", "requested_for") },
  { trigger: "request/wfc_reminder",              on: "request", when: [raisedByRule],                                     to: personAt("requested_by") },
  { trigger: "request/requester_dissatisfied",    on: "request", when: [raisedByRule],                                     to: [roleHolders("service_desk_manager")] },
  { trigger: "request/new_request_requested_for", on: "request", when: [created],                                  to: personAt("requested_for"), text: "new_request" },
  { trigger: "request/new_request_requested_by",  on: "request", when: [created],                                  to: personAt("requested_by"),  text: "new_request" },
  // ML3: also to the sender, who may not be the one who wrote
  { trigger: "request/new_request_generated_from_non_primary_email", on: "request", when: [raisedByRule],                  to: [peopleNamedByRule] },
  { trigger: "request/member_assignment",         on: "request", when: [changed("member")], if: { status: not("completed") }, to: personAt("member") },
  { trigger: "request/member_reassignment",       on: "request", when: [changed("member")], ifBefore: { member: "present" },       to: [personBefore("member")] },
  { trigger: "request/team_assignment",           on: "request", when: [changed("team")],   if: { member: null, status: not("completed") }, to: personAt("team.coordinator"), isForTeam: true },
  { trigger: "request/desired_completion",        on: "request", when: [changed("desired_completion_at")], if: { desired_completion_at: "present" }, to: personAt("requested_by") },
  { trigger: "request/desired_completion",        on: "request", when: [changed("desired_completion_at")], if: { desired_completion_at: null }, ifBefore: { desired_completion_at: "present" }, to: personAt("requested_by"), text: "desired_completion_removed" },
  { trigger: "request/added_to_product_backlog",  on: "request", when: [changed("product_backlog")], to: personAt("product_backlog.product_owner") },
  { trigger: "request/new_mention",               on: "request", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "request/new_note",                  on: "request", when: [noteAdded], if: publicNote,                        to: personAt("requested_by", "requested_for", "member") },
  { trigger: "request/new_note",                  on: "request", when: [noteAdded], if: { ...publicNote, internal: true }, to: personAt("member") },
  { trigger: "request/new_note",                  on: "request", when: [noteAdded], if: { quiet: false, medium: not("system"), member: null }, to: personAt("team.coordinator"), isForTeam: true },

  // PB1 to PB12
  { trigger: "problem/progress_halted",          on: "problem", when: [became("status", "progress_halted")], to: personAt("manager") },
  { trigger: "problem/solved",                   on: "problem", when: [became("status", "solved")],          to: personAt("manager") },
  { trigger: "problem/manager_changed",          on: "problem", when: [changed("manager")],                  to: personAt("manager") },
  { trigger: "problem/member_assignment",        on: "problem", when: [changed("member")], if: { status: not("solved") },  to: personAt("member") },
  { trigger: "problem/member_reassignment",      on: "problem", when: [changed("member")], ifBefore: { member: "present" },     to: [personBefore("member")] },
  { trigger: "problem/team_assignment",          on: "problem", when: [changed("team")],   if: { member: null },           to: personAt("team.coordinator"), isForTeam: true },
  { trigger: "problem/added_to_product_backlog", on: "problem", when: [changed("product_backlog")], to: personAt("product_backlog.product_owner") },
  { trigger: "problem/new_mention",              on: "problem", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "problem/new_note",                 on: "problem", when: [noteAdded], if: publicNote, to: personAt("manager", "member") },

  // RL1
  { trigger: "release/progress_halted",  on: "release",  when: [became("status", "progress_halted")], to: personAt("manager") },
  { trigger: "release/manager_changed",  on: "release",  when: [changed("manager")], to: personAt("manager") },
  { trigger: "release/workflow_added",   on: "workflow", when: [changed("release")], to: personAt("release.manager") },
  { trigger: "release/workflow_removed", on: "workflow", when: [changed("release")], ifBefore: { release: "present" }, to: [personBefore("release.manager")] },
  { trigger: "release/new_mention",      on: "release",  when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "release/new_note",         on: "release",  when: [noteAdded], if: publicNote, to: personAt("manager") },

  // WF7, WF11
  { trigger: "workflow/progress_halted", on: "workflow", when: [became("status", "progress_halted")], to: personAt("manager") },
  { trigger: "workflow/new_workflow",    on: "workflow", when: [created],            to: personAt("manager") },
  { trigger: "workflow/manager_changed", on: "workflow", when: [changed("manager")], to: personAt("manager") },
  { trigger: "workflow/new_mention",     on: "workflow", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "workflow/new_note",        on: "workflow", when: [noteAdded], if: publicNote, to: personAt("manager") },

  // AP2, AP9: approvers; TA1: no one for an automation task
  { trigger: "task/approver_assignment", on: "task_approval", when: [became("status", "assigned")], to: personAt("approver"), subjectPaths: ["task"] },
  { trigger: "task/member_assignment",   on: "task", when: [became("status", "assigned"), changed("member")], if: { category: manualCategories, status: assignedStates }, to: personAt("member") },
  { trigger: "task/member_reassignment", on: "task", when: [changed("member")], if: { category: manualCategories, status: assignedStates }, ifBefore: { member: "present" }, to: [personBefore("member")] },
  { trigger: "task/team_assignment",     on: "task", when: [became("status", "assigned"), changed("team")], if: { category: manualCategories, status: assignedStates, member: null }, to: personAt("team.coordinator"), isForTeam: true },
  { trigger: "task/new_mention",         on: "task", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "task/new_note",            on: "task", when: [noteAdded], if: publicNote, to: [...personAt("member", "manager"), approvers] },

  // PT1 to PT10, PJ1
  { trigger: "project/progress_halted", on: "project", when: [became("status", "progress_halted")], to: personAt("manager") },
  { trigger: "project/new_project",     on: "project", when: [created],            to: personAt("manager") },
  { trigger: "project/manager_changed", on: "project", when: [changed("manager")], to: personAt("manager") },
  { trigger: "project/new_mention",     on: "project", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "project/new_note",        on: "project", when: [noteAdded], if: publicNote, to: personAt("manager") },
  { trigger: "project_task/milestone_reached", on: "project_task", when: [became("status", "completed")], if: { category: "milestone" }, to: personAt("manager") },
  { trigger: "project_task/milestone_missed",  on: "project_task", when: [reached("deadline")], if: { category: "milestone", status: unfinishedStates }, to: personAt("manager") },
  { trigger: "project_task/approver_assignment", on: "project_task_assignment", when: [became("status", "assigned")], to: personAt("assignee"), subjectPaths: ["project_task"], subjectIf: { category: "approval" } },
  { trigger: "project_task/assignment",        on: "project_task_assignment", when: [became("status", "assigned")], to: personAt("assignee"), subjectPaths: ["project_task"], subjectIf: { category: not("approval") } },
  { trigger: "project_task/reassignment",      on: "project_task_assignment", when: [deleted], ifBefore: { status: assignedStates }, to: [personBefore("assignee")], subjectPaths: ["project_task"], text: "member_reassignment" },
  { trigger: "project_task/team_assignment",   on: "project_task", when: [became("status", "assigned"), changed("team")], if: { status: assignedStates, category: not("approval") }, to: personAt("team.coordinator"), isForTeam: true },
  { trigger: "project_task/new_mention",       on: "project_task", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "project_task/new_note",          on: "project_task", when: [noteAdded], if: publicNote, to: [...personAt("manager"), assignees] },

  // RK1
  { trigger: "risk/new_risk",        on: "risk", when: [created],            to: personAt("manager") },
  { trigger: "risk/manager_changed", on: "risk", when: [changed("manager")], to: personAt("manager") },
  { trigger: "risk/new_mention",     on: "risk", when: [noteAdded], if: { copied: false }, to: [mentionedPeople] },
  { trigger: "risk/new_note",        on: "risk", when: [noteAdded], if: publicNote, to: personAt("manager") },

  { trigger: "note/new_note_reaction", on: "note_reaction", when: [created], to: personAt("note.person"), subjectPaths: noteParentPaths },

  // RC26
  { trigger: "workflow_template/recurrence_failed", on: "workflow_template", when: [raisedByRule], to: [peopleNamedByRule], embeddedFields: ["subject"] },
  { trigger: "ci/recurrence_failed",                on: "ci",                when: [raisedByRule], to: [peopleNamedByRule], embeddedFields: ["name"] },

  // AB6
  { trigger: "agile_board/wip_limit_exceeded",     on: "agile_board",     when: [raisedByRule], to: personAt("manager") },
  { trigger: "agile_board/manager_changed",        on: "agile_board",     when: [changed("manager")],       to: personAt("manager") },
  { trigger: "product_backlog/product_owner_changed", on: "product_backlog", when: [changed("product_owner")], to: personAt("product_owner") },

  { trigger: "sla/activated",      on: "sla",      when: [became("status", "active")],  to: personAt("service_level_manager") },
  { trigger: "sla/expired",        on: "sla",      when: [became("status", "expired")], to: personAt("service_level_manager") },
  { trigger: "flsa/activated",     on: "flsa",     when: [became("status", "active")],  to: personAt("customer_rep") },
  { trigger: "flsa/expired",       on: "flsa",     when: [became("status", "expired")], to: personAt("customer_rep") },
  { trigger: "contract/activated", on: "contract", when: [became("status", "active")],  to: personAt("customer_rep") },
  { trigger: "contract/expired",   on: "contract", when: [became("status", "expired")], to: personAt("customer_rep") },

  { trigger: "reservation/pending",   on: "reservation", when: [became("status", "pending")],   to: personAt("person") },
  { trigger: "reservation/confirmed", on: "reservation", when: [became("status", "confirmed")], to: personAt("person") },
  { trigger: "reservation/canceled",  on: "reservation", when: [became("status", "canceled")],  to: personAt("person") },
  { trigger: "reservation/ended",     on: "reservation", when: [became("status", "ended")],     to: personAt("person") },
  { trigger: "reservation/changed",   on: "reservation", when: [changed("start_at", "end_at")], if: { status: oneOf("pending", "confirmed", "being_prepared", "active") }, ifBefore: { start_at: "present" }, to: personAt("person") },

  { trigger: "out_of_office_period/added_as_delegate",   on: "out_of_office_period", when: [changed("approval_delegate")], to: personAt("approval_delegate"), embeddedFields: absenceFields },
  { trigger: "out_of_office_period/delegate_defined",    on: "out_of_office_period", when: [changed("approval_delegate")], if: { approval_delegate: "present" }, to: personAt("person"), embeddedFields: [...absenceFields, "approval_delegate"] },
  { trigger: "out_of_office_period/removed_as_delegate", on: "out_of_office_period", when: [changed("approval_delegate"), deleted], ifBefore: { approval_delegate: "present" }, to: [personBefore("approval_delegate")], embeddedFields: absenceFields },

  // NO3
  { trigger: "watchlist/added_to_watchlist",     on: "watch",   when: [created], to: personAt("person"),       subjectPaths: ["request"] },
  { trigger: "watchlist/removed_from_watchlist", on: "watch",   when: [deleted], to: [personBefore("person")], subjectPaths: ["request"] },
  { trigger: "watchlist/item_updated",           on: "request", when: [changed("status", "team", "member")], ifBefore: { status: "present" }, to: [watchers] },
  { trigger: "watchlist/item_updated",           on: "request", when: [noteAdded], if: { internal: false, medium: not("system") }, to: [watchers] },
];
