import { choiceLabel } from "../../../records/languages/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Value } from "../../engine/kinds/kind.ts";
import type { Change, TypeRules, Values } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { chooseBacklogPosition, setStatusByBacklog, syncBacklog } from "../board/backlog.ts";
import { placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { addNotes, mayWriteInternalNotes } from "../communication/notes.ts";
import { isMineOrBelow } from "../people/organization.ts";
import { isAssignedToMyTeam } from "../people/team.ts";
import { updateAffectedSlas } from "../sla/affected-slas.ts";
import { updateGeneratingTask } from "../task-graph/generated-request.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { assignToCaller } from "../work-item/assign-member.ts";
import { checkMemberInTeam, checkPendingReference, isAssignedOrDeclined } from "../work-item/assignment-checks.ts";
import { refreshLinkedWorkflows } from "../work-item/linked-work.ts";
import { checkCompletionNotPrevented, setPendingStatus } from "../work-item/pending-on-workflow-or-project.ts";
import { setResolutionDuration } from "../work-item/resolution-duration.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { applyTemplate, dropUnknownCheckedItems, startWorkflow } from "./apply-template.ts";
import { chooseTeamAndMember, countAssignment } from "./assignment.ts";
import { settleDesiredCompletion } from "./desired-completion.ts";
import { feedbackLinks } from "./feedback.ts";
import { isCausedByGroup, joinGroup, loadNextTargetOfGroup, syncGroup, ungroupMembers } from "./group.ts";
import { checkMajorIncident } from "./major-incident.ts";
import {
  checkTeamOfParticipant,
  pickNextTargetOfParticipant,
  syncParticipants,
  withPreviousSharedValues,
} from "./participant-accounts.ts";
import { settleStatus } from "./status.ts";

// RQ1 to RQ24

const buildMyTeamsSql = (next: () => string) => `(SELECT team_id FROM team_members WHERE person_id = ${next()})`;
const selectOrganizationOfPerson = statement("SELECT organization_id FROM people WHERE id = $1");
const countTemplate = statement(
  "UPDATE request_templates SET times_applied = coalesce(times_applied, 0) + 1 WHERE id = $1",
);
const countArticle = statement(
  "UPDATE knowledge_articles SET times_applied = greatest(coalesce(times_applied, 0) + $2::integer, 0) WHERE id = $1",
);
const unlinkCis = statement("DELETE FROM request_cis WHERE request_id = $1 AND ci_id IS DISTINCT FROM $2");
const linkCi = statement(
  "INSERT INTO request_cis (account_id, request_id, ci_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
);

const selectSupportDomain = statement("SELECT 1 FROM accounts WHERE id = $1 AND directory_account_id = $2");

/** Who is of a directory account says in which of its support domains the request belongs. */
async function findSupportDomain(
  tx: Transaction,
  by: Caller,
  { support_domain: domain }: Values,
): Promise<string | null> {
  if (typeof domain !== "string" || domain === by.account) return null;
  return (await tx.query(selectSupportDomain, [domain, by.me.account])).length > 0 ? domain : null;
}

/** RQ2 to RQ6: who asks, for whom, about what. */
async function registerNewRequest(change: Change): Promise<void> {
  const { tx, by, after, changed, cause, problem } = change;
  setRequesters(change);
  const isMine = [after.requested_by, after.requested_for].includes(by.person);
  const forAnybody = by.roles.has("service_desk_analyst") || isAdministrator(by, change.account);
  if (cause === null && !isMine && !forAnybody)
    problem(changed.has("requested_for") ? "requested_for" : "requested_by", "is not valid");
  if (after.requested_for !== null) {
    const rows = await tx.query(selectOrganizationOfPerson, [after.requested_for as number]);
    after.organization = rows[0]?.[0] == null ? null : Number(rows[0][0]);
  }
  after.urgent ??= false;
  after.subject ??= buildSubject(change);
}

/** RQ3, RQ4 */
function setRequesters({ by, after }: Change): void {
  after.requested_by ??= after.requested_for ?? by.person;
  after.requested_for ??= after.requested_by;
}

/** What a request has by default it has again when it is taken away. */
function restoreDefaults(change: Change): void {
  const { before, after, changed } = change;
  if (before === null) return;
  if (changed.has("requested_by") || changed.has("requested_for")) setRequesters(change);
  if (changed.has("urgent")) after.urgent ??= false;
  if (changed.has("subject")) after.subject ??= buildSubject(change);
}

function buildSubject({ after }: Change): Value {
  const note = typeof after.note === "string" ? after.note.trim() : "";
  // Characters, not UTF-16 units: half an emoji cannot be stored.
  if (note !== "") return [...note].slice(0, 80).join("");
  return after.category === null ? null : choiceLabel("en", "request.category", String(after.category));
}

async function beforeSave(change: Change): Promise<void> {
  const { before, after, changed, by, account, problem } = change;
  // RQ2: only an administrator says that somebody else registered it.
  if (changed.has("created_by") && !isAdministrator(by, account)) after.created_by = before?.created_by ?? by.person;
  const template = await applyTemplate(change);
  if (before === null) await registerNewRequest(change);
  restoreDefaults(change);
  if (after.category === "incident" && (before === null || changed.has("category") || changed.has("impact")))
    after.impact ??= "low"; // RQ7
  await joinGroup(change);
  setStatusByBacklog(change);
  await setPendingStatus(change, "completed");
  await startWorkflow(change, template);
  if (before === null) after.status ??= "assigned";
  await chooseTeamAndMember(change); // RQ8, RQ9
  if (template?.assignsToSelf && !change.given.has("member")) await assignToCaller(change);
  await placeOnBoard(change, { completedStatus: "completed", assignMember: assignToCaller });
  await settleStatus(change);
  await checkCompletionNotPrevented(change);
  await countAssignment(change);
  await checkTeamOfParticipant(change);
  await checkMemberInTeam(change); // RQ10
  after.completion_reason = after.status === "completed" ? (after.completion_reason ?? "solved") : null; // RQ11
  checkWaitingUntil(change); // RQ12
  const [start, end] = [after.downtime_start_at, after.downtime_end_at];
  if (start != null && end != null && Date.parse(String(end)) < Date.parse(String(start)))
    problem("downtime_end_at", "is not valid"); // RQ15
  if (!isCausedByGroup(change))
    checkPendingReference(change, {
      reservation_pending: "reservation",
      workflow_pending: "workflow",
      project_pending: "project",
    }); // RQ16
  if (after.addressed === true && changed.has("addressed")) {
    const isDeskManager = by.me.roles.get(account)?.has("service_desk_manager");
    if (after.satisfaction !== "dissatisfied" || !isDeskManager) problem("addressed", "is not valid"); // RQ17
  }
  await chooseBacklogPosition(change);
  await checkMajorIncident(change);
  await dropUnknownCheckedItems(change); // RQ19
  if (change.participant === null) await settleReviewed(change);
  if (after.internal_note != null && !mayWriteInternalNotes(by)) problem("internal_note", "is not valid");
  if (after.support_domain != null && after.support_domain !== account) problem("support_domain", "is not valid");
  await settleDesiredCompletion(change);
  if (change.participant === null && after.grouping !== "group")
    await updateAffectedSlas(withPreviousSharedValues(change));
}

const needsNoReview = (values: Values): boolean =>
  values.service_instance === null ||
  values.problem !== null ||
  values.workflow !== null ||
  values.grouping === "grouped" ||
  (values.completion_reason === "solved" && values.impact !== "top");

const selectIsProblemManager = statement(
  "SELECT 1 FROM service_instances i JOIN services s ON s.id = i.service_id WHERE i.id = $1 AND s.problem_manager_id = $2",
);

/** RQ18: where there is something to review the problem manager says so; what was true for another reason no longer is. */
async function settleReviewed({ tx, by, account, before, after, given }: Change): Promise<void> {
  if (needsNoReview(after)) {
    after.reviewed = true;
    return;
  }
  const maySay = async () =>
    isAdministrator(by, account) ||
    (await tx.query(selectIsProblemManager, [after.service_instance as number, by.person])).length > 0;
  if (!given.has("reviewed") || !(await maySay())) after.reviewed = before?.reviewed === true && !needsNoReview(before);
}

async function afterSave(change: Change): Promise<void> {
  const { tx, id, account, before, after, changed } = change;
  if (before === null && after.template !== null) tx.send(countTemplate, [after.template as number]);
  if (changed.has("ci") || after.ci != null) {
    tx.send(unlinkCis, [id, (after.ci ?? null) as number | null]);
    if (after.ci != null) tx.send(linkCi, [account, id, after.ci as number]);
  }
  const [oldArticle, article] = [before?.knowledge_article ?? null, after.knowledge_article ?? null];
  if (oldArticle !== article) {
    if (oldArticle !== null) tx.send(countArticle, [oldArticle as number, -1]);
    if (article !== null) tx.send(countArticle, [article as number, 1]);
  }
  await addNotes(change);
  await addTimeEntry(change);
  syncBacklog(change);
  await syncBoard(change);
  if (change.participant === null) {
    await updateGeneratingTask(change);
    await refreshLinkedWorkflows(change);
    await syncGroup(change);
  }
  await syncParticipants(change);
}

export const requestRules: TypeRules = {
  async beforePurge(tx, id) {
    await removeFromBoardAndSprints("request")(tx, id);
    tx.send(ungroupMembers, [id]);
  },
  conditions: {
    "is assigned to one of my teams": isAssignedToMyTeam,
    "I watch it": (by) => ({
      key: "watched",
      sql: (alias, next) => `${alias}.id IN (SELECT request_id FROM watches WHERE person_id = ${next()})`,
      values: [by.person],
    }),
    "was made for my organization or one below it": (by) => isMineOrBelow("organization_id", by),
    "is mine to review as problem manager": (by) => ({
      key: "to review",
      sql: (alias, next) =>
        `${alias}.status = 'completed' AND ${alias}.completed_at > ${next()}::timestamptz - interval '6 months' AND ${alias}.service_instance_id IN (SELECT i.id FROM service_instances i JOIN services s ON s.id = i.service_id WHERE s.problem_manager_id = ${next()})`,
      values: [toTimestamp(by.now), by.person],
    }),
    // SLA62
    "one of my teams can be held accountable for it": (by) => ({
      key: "accountable",
      sql: (alias, next) =>
        `${alias}.status <> 'completed' AND ${alias}.id IN (SELECT f.request_id FROM affected_slas f WHERE f.accountability <> 'sla_not_affected' AND (f.first_line_team_id IN ${buildMyTeamsSql(next)} OR f.support_team_id IN ${buildMyTeamsSql(next)}))`,
      values: [by.person, by.person],
    }),
  },
  accountForCreate: findSupportDomain,
  compute: { "where the requesters can answer": feedbackLinks },
  beforeSave: beforeSave,
  derive: {
    "status is assigned or declined": isAssignedOrDeclined,
    "the target to be met next": (change) =>
      change.participant !== null
        ? pickNextTargetOfParticipant(change)
        : change.after.grouping === "group"
          ? loadNextTargetOfGroup(change)
          : (change.after.next_target_at ?? null),
  },
  effects: { "tell how long it took": setResolutionDuration("created_at", "completed_at") },
  afterSave: afterSave,
};

export const watchRules: TypeRules = { derive: { "where it was added": ({ by }) => by.account } };

const buildArticleOfRequestSql = (next: () => string) =>
  `(SELECT r.knowledge_article_id FROM requests r WHERE r.id = ${next()})`;

/** For the list of articles below a request. */
export const knowledgeArticleConditions: NonNullable<TypeRules["conditions"]> = {
  "is linked to that request": (_by, request) => ({
    key: "article of request",
    sql: (alias, next) => `${alias}.id = ${buildArticleOfRequestSql(next)}`,
    values: [request ?? 0],
  }),
};

/** For the list of offerings below a request template. */
export const reservationOfferingConditions: NonNullable<TypeRules["conditions"]> = {
  "is offered with that template": (_by, template) => ({
    key: "offered with template",
    sql: (alias, next) =>
      `${alias}.id IN (SELECT reservation_offering_id FROM reservation_offering_request_templates WHERE request_template_id = ${next()})`,
    values: [template ?? 0],
  }),
};
