import type { TypeRules } from "../engine/rules.ts";
import { agileBoardColumnRules, sprintRules } from "./agile.ts";
import { appInstanceRules, appOfferingRules } from "./app.ts";
import { appOfferingAutomationRuleRules, automationRuleRules } from "./automation-rule.ts";
import { addressRules, contactRules } from "./contact.ts";
import { customCollectionElementRules, customCollectionRules } from "./custom-collection.ts";
import { organizationRules } from "./organization.ts";
import { personRules } from "./person.ts";
import { reservationRules } from "./reservation.ts";
import { shopArticleCategoryRules, shopArticleRules, shopOrderLineRules } from "./shop.ts";
import { surveyQuestionRules, surveyResponseRules } from "./survey.ts";
import { teamRules } from "./team.ts";
import { uiExtensionRules, uiExtensionVersionRules } from "./ui-extension.ts";

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
  app_offering: appOfferingRules,
  app_instance: appInstanceRules,
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
};
