import type { TypeRules } from "../engine/rules.ts";
import { accountRules } from "./account.ts";
import { agileBoardColumnRules, sprintRules } from "./agile.ts";
import { appInstanceRules, appOfferingRules } from "./app.ts";
import { appOfferingAutomationRuleRules, automationRuleRules } from "./automation-rule.ts";
import { broadcastRules, broadcastTranslationRules } from "./broadcast.ts";
import { ciRelationRules, ciRules, ofThatCi } from "./ci.ts";
import { addressRules, contactRules } from "./contact.ts";
import { customCollectionElementRules, customCollectionRules } from "./custom-collection.ts";
import { organizationRules } from "./organization.ts";
import { personRules } from "./person.ts";
import { productCategoryRules, productRules } from "./product.ts";
import { reservationRules } from "./reservation.ts";
import {
  rfcTypeRateRules,
  serviceInstanceRules,
  serviceOfferingRules,
  serviceRules,
  standardServiceRequestRules,
  waitingForCustomerRuleRules,
} from "./service.ts";
import { shopArticleCategoryRules, shopArticleRules, shopOrderLineRules } from "./shop.ts";
import { parentServiceInstanceRules, slaRules } from "./sla.ts";
import { surveyQuestionRules, surveyResponseRules } from "./survey.ts";
import { teamRules } from "./team.ts";
import { uiExtensionRules } from "./ui-extension.ts";

/** Our own rules that fit no table, by record type. */
export const typeRules: Readonly<Record<string, TypeRules>> = {
  account: accountRules,
  person: personRules,
  contact: contactRules,
  address: addressRules,
  organization: organizationRules,
  team: teamRules,
  agile_board_column: agileBoardColumnRules,
  sprint: sprintRules,
  service: serviceRules,
  service_instance: serviceInstanceRules,
  service_offering: serviceOfferingRules,
  standard_service_request: standardServiceRequestRules,
  rfc_type_rate: rfcTypeRateRules,
  sla: slaRules,
  parent_service_instance: parentServiceInstanceRules,
  waiting_for_customer_rule: waitingForCustomerRuleRules,
  broadcast: broadcastRules,
  broadcast_translation: broadcastTranslationRules,
  product_category: productCategoryRules,
  product: productRules,
  ci: ciRules,
  ci_relation: ciRelationRules,
  request: { conditions: { "is about that configuration item": ofThatCi.request } },
  problem: { conditions: { "is about that configuration item": ofThatCi.problem } },
  task: { conditions: { "is about that configuration item": ofThatCi.task } },
  survey_question: surveyQuestionRules,
  survey_response: surveyResponseRules,
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
