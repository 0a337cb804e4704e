import type { TypeRules } from "../engine/rules.ts";
import { agileBoardColumnRules, scrumWorkspaceRules, sprintBacklogItemRules, sprintRules } from "./agile.ts";
import { appInstanceRules, appOfferingRules } from "./app.ts";
import { appOfferingAutomationRuleRules, automationRuleRules } from "./automation-rule.ts";
import { calendarHourRules, holidayRules } from "./calendar.ts";
import { addressRules, contactRules } from "./contact.ts";
import { customCollectionElementRules, customCollectionRules } from "./custom-collection.ts";
import { knowledgeArticleRules } from "./knowledge-article.ts";
import { agreementLists, riskLists } from "./lists-of-places.ts";
import { noteAttachmentRules, noteRules } from "./notes.ts";
import { organizationRules } from "./organization.ts";
import { outOfOfficePeriodRules } from "./out-of-office-period.ts";
import { personRules } from "./person.ts";
import { problemRules } from "./problem.ts";
import { releaseRules } from "./release.ts";
import { knowledgeArticleConditions, requestRules, reservationOfferingConditions, watchRules } from "./request.ts";
import { requestTemplateRules } from "./request-template.ts";
import { reservationRules } from "./reservation.ts";
import { riskRules } from "./risk.ts";
import { shopArticleCategoryRules, shopArticleRules, shopOrderLineRules } from "./shop.ts";
import { surveyAnswerRules, surveyQuestionRules, surveyResponseRules } from "./survey.ts";
import { teamRules } from "./team.ts";
import { timeEntryRules } from "./time-entry.ts";
import { timesheetSettingRules } from "./timesheet.ts";
import { uiExtensionRules } from "./ui-extension.ts";

/** Our own rules that fit no table, by record type. */
export const typeRules: Readonly<Record<string, TypeRules>> = {
  account: { compute: { "address of the account": (id, { origin }) => `${origin}/a/${id}` } },
  person: personRules,
  contact: contactRules,
  address: addressRules,
  organization: organizationRules,
  team: teamRules,
  agile_board_column: agileBoardColumnRules,
  scrum_workspace: scrumWorkspaceRules,
  sprint: sprintRules,
  sprint_backlog_item: sprintBacklogItemRules,
  survey_question: surveyQuestionRules,
  survey_response: surveyResponseRules,
  survey_answer: surveyAnswerRules,
  calendar_hour: calendarHourRules,
  holiday: holidayRules,
  timesheet_setting: timesheetSettingRules,
  time_entry: timeEntryRules,
  out_of_office_period: outOfOfficePeriodRules,
  knowledge_article: knowledgeArticleRules,
  sla: { conditions: agreementLists },
  risk: { conditions: riskLists },
  request: requestRules,
  note: noteRules,
  note_attachment: noteAttachmentRules,
  watch: watchRules,
  request_template: requestTemplateRules,
  problem: problemRules,
  release: releaseRules,
  risk: riskRules,
  knowledge_article: { conditions: knowledgeArticleConditions },
  reservation_offering: { conditions: reservationOfferingConditions },
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
