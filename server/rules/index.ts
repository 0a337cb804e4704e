import type { TypeRules } from "../engine/rules.ts";
import { agileBoardColumnRules, sprintRules } from "./agile.ts";
import { addressRules, contactRules } from "./contact.ts";
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
import { surveyQuestionRules, surveyResponseRules } from "./survey.ts";
import { taskApprovalRules, taskRules } from "./task.ts";
import { teamRules } from "./team.ts";
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
};
