import type { TypeRules } from "../engine/rules.ts";
import { agileBoardColumnRules, sprintRules } from "./agile.ts";
import { appInstanceRules, appOfferingRules } from "./app.ts";
import { appOfferingAutomationRuleRules, automationRuleRules } from "./automation-rule.ts";
import { addressRules, contactRules } from "./contact.ts";
import { customCollectionElementRules, customCollectionRules } from "./custom-collection.ts";
import { organizationRules } from "./organization.ts";
import { personRules } from "./person.ts";
import {
  projectPhaseRules,
  projectTemplatePhaseRules,
  workflowPhaseRules,
  workflowTemplatePhaseRules,
} from "./phase.ts";
import { projectRules, projectTaskTemplateRelationRules, projectTemplateRules } from "./project.ts";
import { projectTaskAssignmentRules, projectTaskRules } from "./project-task.ts";
import { reservationRules } from "./reservation.ts";
import { shopArticleCategoryRules, shopArticleRules, shopOrderLineRules } from "./shop.ts";
import { surveyQuestionRules, surveyResponseRules } from "./survey.ts";
import { taskApprovalRules, taskRules } from "./task.ts";
import { teamRules } from "./team.ts";
import { uiExtensionRules } from "./ui-extension.ts";
import { workflowRules } from "./workflow.ts";
import { taskTemplateRelationRules, taskTemplateRules, workflowTemplateRules } from "./workflow-template.ts";

/** Our own rules that fit no table, by record type. */
export const typeRules: Readonly<Record<string, TypeRules>> = {
  account: { compute: { "address of the account": (id, { origin }) => `${origin}/a/${id}` } },
  person: personRules,
  contact: contactRules,
  address: addressRules,
  organization: organizationRules,
  team: teamRules,
  agile_board_column: agileBoardColumnRules,
  sprint: sprintRules,
  survey_question: surveyQuestionRules,
  survey_response: surveyResponseRules,
  project: projectRules,
  project_phase: projectPhaseRules,
  project_template: projectTemplateRules,
  project_template_phase: projectTemplatePhaseRules,
  project_task_template_relation: projectTaskTemplateRelationRules,
  project_task: projectTaskRules,
  project_task_assignment: projectTaskAssignmentRules,
  workflow: workflowRules,
  workflow_phase: workflowPhaseRules,
  task: taskRules,
  task_approval: taskApprovalRules,
  task_template: taskTemplateRules,
  workflow_template: workflowTemplateRules,
  workflow_template_phase: workflowTemplatePhaseRules,
  task_template_relation: taskTemplateRelationRules,
  app_offering: appOfferingRules,
  app_instance: appInstanceRules,
  ui_extension: uiExtensionRules,
  custom_collection: customCollectionRules,
  custom_collection_element: customCollectionElementRules,
  reservation: reservationRules,
  shop_article: shopArticleRules,
  shop_article_category: shopArticleCategoryRules,
  shop_order_line: shopOrderLineRules,
  automation_rule: automationRuleRules,
  app_offering_automation_rule: appOfferingAutomationRuleRules,
};
