import type { InboxTab } from "../../../records/answers/inbox.ts";
import { finishedStates } from "../../../records/work/task-states.ts";
import { buildTargetOrder } from "../../engine/kinds/time.ts";
import { buildDelegatorsSql } from "../../rules/time/out-of-office-period.ts";
import { buildLiteralList } from "../../schema/tables/model.ts";

// The kinds of work that an inbox lists, as SQL on their rows `a`. `me` and `now` are placeholders; the statement defines
// `my_teams` (id, sees_unassigned).

export type WorkSource = {
  type: string;
  /** work that a person has to do */
  open: string;
  /** sorts as `next_target_at` of requests does; null where there is no target */
  order: string;
  /** the target as the API writes it */
  target: string;
  kindOfTarget: string;
  category: string;
  impact: string;
  member: string;
  requestedFor: string;
  serviceInstance: string;
  majorIncidentStatus: string;
  /** conditions of the tabs; null: no such work there */
  tabs: (me: string, now: string) => Record<InboxTab, string | null>;
};

const ofMyTeams = "a.team_id IN (SELECT id FROM my_teams)";
const ofTeamsWhoseUnassignedWorkISee = "a.team_id IN (SELECT id FROM my_teams WHERE sees_unassigned)";
const toInstantText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
const toJson = (column: string) => `to_json(${column})::text`;
const none = "NULL";
/** Columns that only requests have. */
const ofRequestsAlone = { requestedFor: none, serviceInstance: none, majorIncidentStatus: none };

/** The approvals requested from the person, or from people whose delegate the person is. */
const votesAskedOfMe = (me: string, now: string, table: string, task: string, person: string) =>
  `a.id IN (SELECT ${task} FROM ${table} WHERE status = 'assigned' AND (${person} = ${me} OR ${person} IN (${buildDelegatorsSql(me, now)})))`;

const openTask = `a.status NOT IN ${buildLiteralList(["registered", ...finishedStates])}`;

const requests: WorkSource = {
  type: "request",
  // A group represents its members.
  open: "a.status NOT IN ('completed') AND a.grouped_into_id IS NULL",
  order: buildTargetOrder("a.next_target_at"),
  target: `CASE WHEN a.next_target_at LIKE '____-%' THEN ${toJson("a.next_target_at::timestamptz")} ELSE ${toJson("a.next_target_at")} END`,
  kindOfTarget: `CASE WHEN a.next_target_at LIKE '____-%' THEN CASE a.next_target_at::timestamptz
    WHEN a.response_target_at THEN 'response' WHEN a.resolution_target_at THEN 'resolution' WHEN a.desired_completion_at THEN 'desired' ELSE 'resolution' END END`,
  category: "a.category",
  impact: "a.impact",
  member: "a.member_id",
  requestedFor: "a.requested_for_id",
  serviceInstance: "a.service_instance_id",
  majorIncidentStatus: "a.major_incident_status",
  tabs: (me) => ({
    mine: `a.member_id = ${me}`,
    my_teams: `${ofMyTeams} AND (a.member_id IS NOT NULL OR ${ofTeamsWhoseUnassignedWorkISee})`,
    unassigned: `a.member_id IS NULL AND ${ofTeamsWhoseUnassignedWorkISee}`,
    approvals: null,
    watching: `a.id IN (SELECT request_id FROM watches WHERE person_id = ${me})`,
  }),
};

const tasks: WorkSource = {
  type: "task",
  open: `${openTask} AND a.category <> 'automation'`,
  order: toInstantText("a.completion_target_at"),
  target: toJson("a.completion_target_at"),
  kindOfTarget: "CASE WHEN a.completion_target_at IS NOT NULL THEN 'completion' END",
  category: "a.category",
  impact: "a.impact",
  member: "a.member_id",
  ...ofRequestsAlone,
  tabs(me, now) {
    const approvals = `a.category = 'approval' AND a.status = 'assigned' AND ${votesAskedOfMe(me, now, "task_approvals", "task_id", "approver_id")}`;
    return {
      mine: `(a.member_id = ${me} OR (${approvals}))`,
      my_teams: `${ofMyTeams} AND (a.member_id IS NOT NULL OR a.category = 'approval' OR ${ofTeamsWhoseUnassignedWorkISee})`,
      unassigned: `a.member_id IS NULL AND a.category <> 'approval' AND ${ofTeamsWhoseUnassignedWorkISee}`,
      approvals,
      watching: null,
    };
  },
};

const problems: WorkSource = {
  type: "problem",
  open: "a.status NOT IN ('solved')",
  order: toInstantText("a.analysis_target_at"),
  target: toJson("a.analysis_target_at"),
  kindOfTarget: "CASE WHEN a.analysis_target_at IS NOT NULL THEN 'analysis' END",
  category: "a.category",
  impact: "a.impact",
  member: "a.member_id",
  ...ofRequestsAlone,
  tabs: (me) => ({
    mine: `a.member_id = ${me}`,
    my_teams: `${ofMyTeams} AND (a.member_id IS NOT NULL OR ${ofTeamsWhoseUnassignedWorkISee})`,
    unassigned: `a.member_id IS NULL AND ${ofTeamsWhoseUnassignedWorkISee}`,
    approvals: null,
    watching: null,
  }),
};

const assignmentsOfRow = "SELECT 1 FROM project_task_assignments p WHERE p.project_task_id = a.id";
const unfinishedAssignment = `status NOT IN ${buildLiteralList(["registered", ...finishedStates])}`;

const projectTasks: WorkSource = {
  type: "project_task",
  open: openTask,
  order: toInstantText("a.completion_target_at"),
  target: toJson("a.completion_target_at"),
  kindOfTarget: "CASE WHEN a.completion_target_at IS NOT NULL THEN 'completion' END",
  category: "a.category",
  impact: none,
  member: "(SELECT p.assignee_id FROM project_task_assignments p WHERE p.project_task_id = a.id ORDER BY p.id LIMIT 1)",
  ...ofRequestsAlone,
  tabs: (me, now) => ({
    mine: `a.id IN (SELECT project_task_id FROM project_task_assignments WHERE assignee_id = ${me} AND ${unfinishedAssignment})`,
    my_teams: `${ofMyTeams} AND (EXISTS (${assignmentsOfRow}) OR ${ofTeamsWhoseUnassignedWorkISee})`,
    unassigned: `${ofTeamsWhoseUnassignedWorkISee} AND NOT EXISTS (${assignmentsOfRow})`,
    approvals: `a.category = 'approval' AND a.status = 'assigned' AND ${votesAskedOfMe(me, now, "project_task_assignments", "project_task_id", "assignee_id")}`,
    watching: null,
  }),
};

/** In the order in which work with the same target is listed. */
export const workSources: readonly WorkSource[] = [requests, tasks, problems, projectTasks];
