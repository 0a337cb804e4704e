import type { TypeName } from "../../records/index.ts";
import type { TypeRules } from "../engine/rules.ts";
import { appInstanceRules, appOfferingRules, webhookComputations } from "./app/app.ts";
import { appOfferingAutomationRuleRules, automationRuleRules } from "./app/automation-rule.ts";
import { customCollectionElementRules, customCollectionRules } from "./app/custom-collection.ts";
import { uiExtensionRules, uiExtensionVersionRules } from "./app/ui-extension.ts";
import { ciParentConditions, ciRelationRules, ciRules } from "./asset/ci.ts";
import { invoiceRules } from "./asset/invoice.ts";
import { productCategoryRules, productRules } from "./asset/product.ts";
import { reservationRules } from "./asset/reservation.ts";
import { shopArticleCategoryRules, shopArticleRules, shopOrderLineRules } from "./asset/shop.ts";
import { shortUrlRules } from "./asset/short-url.ts";
import { agileBoardColumnRules, scrumWorkspaceRules, sprintBacklogItemRules, sprintRules } from "./board/agile.ts";
import { broadcastRules, broadcastTranslationRules } from "./communication/broadcast.ts";
import { knowledgeArticleRules, knowledgeArticleTranslationRules } from "./communication/knowledge-article.ts";
import { noteAttachmentRules, noteRules } from "./communication/notes.ts";
import { surveyAnswerRules, surveyQuestionRules, surveyResponseRules } from "./communication/survey.ts";
import { accountRules } from "./people/account.ts";
import { archiveEntryRules, trashEntryRules } from "./people/archive-entry.ts";
import { auditLineRules } from "./people/audit-line.ts";
import { addressRules, contactRules } from "./people/contact.ts";
import { organizationRules } from "./people/organization.ts";
import { personRules } from "./people/person.ts";
import { scimGroupRules, scimUserRules } from "./people/scim.ts";
import { teamRules } from "./people/team.ts";
import { knowledgeArticleConditions, reservationOfferingConditions } from "./request/conditions.ts";
import { requestRules, watchRules } from "./request/request.ts";
import { requestTemplateRules } from "./request/request-template.ts";
import { riskParentConditions, slaParentConditions } from "./shared/sla-and-risk-parent-conditions.ts";
import { withConditions } from "./shared/with-conditions.ts";
import {
  rfcTypeRateRules,
  serviceInstanceRules,
  serviceOfferingRules,
  serviceRules,
  standardServiceRequestRules,
  waitingForCustomerRuleRules,
} from "./sla/service.ts";
import { parentServiceInstanceRules, slaRules } from "./sla/sla.ts";
import {
  projectPhaseRules,
  projectTemplatePhaseRules,
  workflowPhaseRules,
  workflowTemplatePhaseRules,
} from "./task-graph/phase.ts";
import { projectRules, projectTaskTemplateRelationRules, projectTemplateRules } from "./task-graph/project.ts";
import { projectTaskRules } from "./task-graph/project-task.ts";
import { projectTaskAssignmentRules } from "./task-graph/project-task-assignments.ts";
import { releaseRules } from "./task-graph/release.ts";
import { taskRules } from "./task-graph/task.ts";
import { taskApprovalRules } from "./task-graph/task-approvers.ts";
import { workflowRules } from "./task-graph/workflow.ts";
import { taskTemplateRelationRules, taskTemplateRules, workflowTemplateRules } from "./task-graph/workflow-template.ts";
import { calendarHourRules } from "./time/calendar.ts";
import { outOfOfficePeriodRules } from "./time/out-of-office-period.ts";
import { timeEntryRules } from "./time/time-entry.ts";
import { timesheetSettingRules } from "./time/timesheet-settings.ts";
import { problemRules } from "./work-item/problem.ts";
import { riskRules } from "./work-item/risk.ts";

/** The hooks of the record types that have any, by the name of the type. */
export const typeRules: Readonly<Record<string, TypeRules>> = {
  account: accountRules,
  audit_line: auditLineRules,
  archive_entry: archiveEntryRules,
  trash_entry: trashEntryRules,
  person: personRules,
  contact: contactRules,
  address: addressRules,
  organization: organizationRules,
  scim_user: scimUserRules,
  scim_group: scimGroupRules,
  team: teamRules,
  agile_board_column: agileBoardColumnRules,
  scrum_workspace: scrumWorkspaceRules,
  sprint: sprintRules,
  sprint_backlog_item: sprintBacklogItemRules,
  service: serviceRules,
  service_instance: serviceInstanceRules,
  service_offering: serviceOfferingRules,
  standard_service_request: standardServiceRequestRules,
  rfc_type_rate: rfcTypeRateRules,
  sla: withConditions(slaRules, slaParentConditions),
  parent_service_instance: parentServiceInstanceRules,
  waiting_for_customer_rule: waitingForCustomerRuleRules,
  broadcast: broadcastRules,
  broadcast_translation: broadcastTranslationRules,
  product_category: productCategoryRules,
  product: productRules,
  ci: ciRules,
  ci_relation: ciRelationRules,
  invoice: invoiceRules,
  short_url: shortUrlRules,
  survey_question: surveyQuestionRules,
  survey_response: surveyResponseRules,
  survey_answer: surveyAnswerRules,
  calendar_hour: calendarHourRules,
  timesheet_setting: timesheetSettingRules,
  time_entry: timeEntryRules,
  out_of_office_period: outOfOfficePeriodRules,
  knowledge_article: withConditions(knowledgeArticleRules, knowledgeArticleConditions),
  knowledge_article_translation: knowledgeArticleTranslationRules,
  request: withConditions(requestRules, { "is about that configuration item": ciParentConditions.request }),
  note: noteRules,
  note_attachment: noteAttachmentRules,
  watch: watchRules,
  request_template: requestTemplateRules,
  problem: withConditions(problemRules, { "is about that configuration item": ciParentConditions.problem }),
  release: releaseRules,
  risk: withConditions(riskRules, riskParentConditions),
  reservation_offering: { conditions: reservationOfferingConditions },
  project: projectRules,
  project_phase: projectPhaseRules,
  project_template: projectTemplateRules,
  project_template_phase: projectTemplatePhaseRules,
  project_task_template_relation: projectTaskTemplateRelationRules,
  project_task: projectTaskRules,
  project_task_assignment: projectTaskAssignmentRules,
  workflow: workflowRules,
  workflow_phase: workflowPhaseRules,
  task: withConditions(taskRules, { "is about that configuration item": ciParentConditions.task }),
  task_approval: taskApprovalRules,
  task_template: taskTemplateRules,
  workflow_template: workflowTemplateRules,
  workflow_template_phase: workflowTemplatePhaseRules,
  task_template_relation: taskTemplateRelationRules,
  app_offering: appOfferingRules,
  app_instance: appInstanceRules,
  webhook: { compute: webhookComputations },
  ui_extension: uiExtensionRules,
  ui_extension_version: uiExtensionVersionRules,
  custom_collection: customCollectionRules,
  custom_collection_element: customCollectionElementRules,
  reservation: reservationRules,
  shop_article: shopArticleRules,
  shop_article_category: shopArticleCategoryRules,
  shop_order_line: shopOrderLineRules,
  automation_rule: automationRuleRules,
  app_offering_automation_rule: appOfferingAutomationRuleRules,
} satisfies Partial<Record<TypeName, TypeRules>>;
