import { agileBoard } from "./configuration/agile-board.ts";
import { agileBoardColumn } from "./configuration/agile-board-column.ts";
import { broadcast } from "./configuration/broadcast.ts";
import { broadcastTranslation } from "./configuration/broadcast-translation.ts";
import { ci } from "./configuration/ci.ts";
import { ciRelation } from "./configuration/ci-relation.ts";
import { contract } from "./configuration/contract.ts";
import { effortClassRate } from "./configuration/effort-class-rate.ts";
import { effortClassRateIdentifier } from "./configuration/effort-class-rate-identifier.ts";
import { flsa } from "./configuration/flsa.ts";
import { invoice } from "./configuration/invoice.ts";
import { parentServiceInstance } from "./configuration/parent-service-instance.ts";
import { product } from "./configuration/product.ts";
import { productBacklog } from "./configuration/product-backlog.ts";
import { productBacklogItem } from "./configuration/product-backlog-item.ts";
import { productCategory } from "./configuration/product-category.ts";
import { reservation } from "./configuration/reservation.ts";
import { reservationOffering } from "./configuration/reservation-offering.ts";
import { rfcTypeActivityIdentifier } from "./configuration/rfc-type-activity-identifier.ts";
import { rfcTypeRate } from "./configuration/rfc-type-rate.ts";
import { scrumWorkspace } from "./configuration/scrum-workspace.ts";
import { service } from "./configuration/service.ts";
import { serviceCategory } from "./configuration/service-category.ts";
import { serviceInstance } from "./configuration/service-instance.ts";
import { serviceOffering } from "./configuration/service-offering.ts";
import { shopArticle } from "./configuration/shop-article.ts";
import { shopArticleCategory } from "./configuration/shop-article-category.ts";
import { shopOrderLine } from "./configuration/shop-order-line.ts";
import { shortUrl } from "./configuration/short-url.ts";
import { sla } from "./configuration/sla.ts";
import { slaCoverageGroup } from "./configuration/sla-coverage-group.ts";
import { sprint } from "./configuration/sprint.ts";
import { sprintBacklogItem } from "./configuration/sprint-backlog-item.ts";
import { standardServiceRequest } from "./configuration/standard-service-request.ts";
import { standardServiceRequestActivityIdentifier } from "./configuration/standard-service-request-activity-identifier.ts";
import { survey } from "./configuration/survey.ts";
import { surveyAnswer } from "./configuration/survey-answer.ts";
import { surveyQuestion } from "./configuration/survey-question.ts";
import { surveyResponse } from "./configuration/survey-response.ts";
import { archiveEntry } from "./journal/archive-entry.ts";
import { auditLine } from "./journal/audit-line.ts";
import { trashEntry } from "./journal/trash-entry.ts";
import { account } from "./people/account.ts";
import { address } from "./people/address.ts";
import { contact } from "./people/contact.ts";
import { organization } from "./people/organization.ts";
import { outOfOfficePeriod } from "./people/out-of-office-period.ts";
import { person } from "./people/person.ts";
import { scimGroup } from "./people/scim-group.ts";
import { scimUser } from "./people/scim-user.ts";
import { site } from "./people/site.ts";
import { skillPool } from "./people/skill-pool.ts";
import { team } from "./people/team.ts";
import { appInstance } from "./settings/app-instance.ts";
import { appOffering } from "./settings/app-offering.ts";
import { appOfferingScope } from "./settings/app-offering-scope.ts";
import { calendar } from "./settings/calendar.ts";
import { calendarHour } from "./settings/calendar-hour.ts";
import { closureCode } from "./settings/closure-code.ts";
import { customCollection } from "./settings/custom-collection.ts";
import { customCollectionElement } from "./settings/custom-collection-element.ts";
import { effortClass } from "./settings/effort-class.ts";
import { holiday } from "./settings/holiday.ts";
import { knowledgeArticleTemplate } from "./settings/knowledge-article-template.ts";
import { pdfDesign } from "./settings/pdf-design.ts";
import { projectCategory } from "./settings/project-category.ts";
import { projectRiskLevel } from "./settings/project-risk-level.ts";
import { rfcType } from "./settings/rfc-type.ts";
import { riskSeverity } from "./settings/risk-severity.ts";
import { slaNotificationRule } from "./settings/sla-notification-rule.ts";
import { slaNotificationScheme } from "./settings/sla-notification-scheme.ts";
import { timeAllocation } from "./settings/time-allocation.ts";
import { timesheetSetting } from "./settings/timesheet-setting.ts";
import { uiExtension } from "./settings/ui-extension.ts";
import { uiExtensionVersion } from "./settings/ui-extension-version.ts";
import { waitingForCustomerFollowUp } from "./settings/waiting-for-customer-follow-up.ts";
import { waitingForCustomerRule } from "./settings/waiting-for-customer-rule.ts";
import { webhook } from "./settings/webhook.ts";
import { webhookPolicy } from "./settings/webhook-policy.ts";
import { workflowType } from "./settings/workflow-type.ts";
import type { AssertNone, RecordType, TypesByName, UnknownTypeNames } from "./vocabulary/index.ts";
import { affectedSla } from "./work/affected-sla.ts";
import { appOfferingAutomationRule } from "./work/app-offering-automation-rule.ts";
import { automationRule } from "./work/automation-rule.ts";
import { inboundEmail } from "./work/inbound-email.ts";
import { knowledgeArticle } from "./work/knowledge-article.ts";
import { knowledgeArticleTranslation } from "./work/knowledge-article-translation.ts";
import { note } from "./work/note.ts";
import { noteAttachment } from "./work/note-attachment.ts";
import { noteReaction } from "./work/note-reaction.ts";
import { problem } from "./work/problem.ts";
import { project } from "./work/project.ts";
import { projectPhase } from "./work/project-phase.ts";
import { projectTask } from "./work/project-task.ts";
import { projectTaskAssignment } from "./work/project-task-assignment.ts";
import { projectTaskTemplate } from "./work/project-task-template.ts";
import { projectTaskTemplateAssignment } from "./work/project-task-template-assignment.ts";
import { projectTaskTemplateRelation } from "./work/project-task-template-relation.ts";
import { projectTemplate } from "./work/project-template.ts";
import { projectTemplatePhase } from "./work/project-template-phase.ts";
import { release } from "./work/release.ts";
import { request } from "./work/request.ts";
import { requestTemplate } from "./work/request-template.ts";
import { risk } from "./work/risk.ts";
import { tag } from "./work/tag.ts";
import { task } from "./work/task.ts";
import { taskApproval } from "./work/task-approval.ts";
import { taskTemplate } from "./work/task-template.ts";
import { taskTemplateApproval } from "./work/task-template-approval.ts";
import { taskTemplateRelation } from "./work/task-template-relation.ts";
import { timeEntry } from "./work/time-entry.ts";
import { watch } from "./work/watch.ts";
import { workflow } from "./work/workflow.ts";
import { workflowPhase } from "./work/workflow-phase.ts";
import { workflowTemplate } from "./work/workflow-template.ts";
import { workflowTemplatePhase } from "./work/workflow-template-phase.ts";

/** Every record type there is. A type not listed here does not exist. */
const recordTypes = [
  account,
  person,
  contact,
  address,
  organization,
  site,
  team,
  service,
  contract,
  projectCategory,
  riskSeverity,
  scrumWorkspace,
  waitingForCustomerFollowUp,
  knowledgeArticleTemplate,
  slaNotificationScheme,
  agileBoard,
  agileBoardColumn,
  sprint,
  productBacklog,
  survey,
  surveyQuestion,
  surveyResponse,
  skillPool,
  outOfOfficePeriod,
  calendar,
  calendarHour,
  holiday,
  effortClass,
  timeAllocation,
  timesheetSetting,
  closureCode,
  rfcType,
  workflowType,
  projectRiskLevel,
  slaNotificationRule,
  waitingForCustomerRule,
  uiExtension,
  uiExtensionVersion,
  pdfDesign,
  customCollection,
  customCollectionElement,
  appOffering,
  appOfferingScope,
  webhookPolicy,
  webhook,
  appInstance,
  serviceCategory,
  serviceInstance,
  serviceOffering,
  standardServiceRequest,
  effortClassRate,
  rfcTypeRate,
  sla,
  parentServiceInstance,
  effortClassRateIdentifier,
  standardServiceRequestActivityIdentifier,
  rfcTypeActivityIdentifier,
  slaCoverageGroup,
  flsa,
  broadcast,
  broadcastTranslation,
  product,
  productCategory,
  ci,
  ciRelation,
  invoice,
  shortUrl,
  reservation,
  reservationOffering,
  shopArticle,
  shopArticleCategory,
  shopOrderLine,
  surveyAnswer,
  sprintBacklogItem,
  productBacklogItem,
  request,
  note,
  noteAttachment,
  noteReaction,
  watch,
  tag,
  affectedSla,
  inboundEmail,
  requestTemplate,
  problem,
  release,
  project,
  projectPhase,
  projectTemplate,
  projectTemplatePhase,
  projectTaskTemplateRelation,
  projectTask,
  projectTaskAssignment,
  projectTaskTemplate,
  projectTaskTemplateAssignment,
  risk,
  workflow,
  workflowPhase,
  task,
  taskApproval,
  taskTemplate,
  taskTemplateApproval,
  workflowTemplate,
  workflowTemplatePhase,
  taskTemplateRelation,
  knowledgeArticle,
  knowledgeArticleTranslation,
  timeEntry,
  automationRule,
  appOfferingAutomationRule,
  scimUser,
  scimGroup,
  auditLine,
  archiveEntry,
  trashEntry,
] as const;
export const register: readonly RecordType[] = recordTypes;

/** The record types by name, as the compiler sees them. */
export type RecordTypes = TypesByName<typeof recordTypes>;
export type TypeName = keyof RecordTypes;

/** A type name that is not in the register does not compile; the error names it. */
export type UnknownTypes = AssertNone<UnknownTypeNames<RecordTypes>>;
