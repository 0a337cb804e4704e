import { generalOperations, openApiOperations, serviceDeskOperations, usageOperations } from "./account.ts";
import { administrationOperations, requestLogOperations } from "./administration.ts";
import { assetOperations } from "./assets.ts";
import { audienceOperations, subscriptionOperations } from "./audiences.ts";
import { automationOperations, webhookTestOperations } from "./automation.ts";
import { boardOperations } from "./boards.ts";
import { bulkChangeOperations } from "./bulk-changes.ts";
import { calendarOperations, recurrenceOperations } from "./calendars.ts";
import { exchangeOperations } from "./exchange.ts";
import { articleOperations, noteOperations, satisfactionOperations, surveyOperations } from "./feedback.ts";
import { attachmentOperations, shortUrlOperations } from "./files.ts";
import { identityProviderOperations } from "./identity-providers.ts";
import { importOperations } from "./imports.ts";
import { inboxOperations } from "./inbox.ts";
import { keptItemOperations } from "./kept-items.ts";
import { mailOperations, mailWordingOperations } from "./mail.ts";
import { monitoringEventOperations } from "./monitoring-events.ts";
import { notificationOperations } from "./notifications.ts";
import { permissionOperations, rightsOperations } from "./permissions.ts";
import { graphOperations, workloadOperations } from "./planning.ts";
import { portalOperations } from "./portal.ts";
import { portalArticleOperations } from "./portal-articles.ts";
import { portalFormOperations } from "./portal-forms.ts";
import { portalOfferOperations } from "./portal-offers.ts";
import { personDataOperations, privacyOperations } from "./privacy.ts";
import { provisioningOperations } from "./provisioning.ts";
import { reportScheduleOperations } from "./report-schedules.ts";
import { listCountOperations, searchOperations } from "./search.ts";
import { scopeOperations, settingsOperations } from "./settings.ts";
import { personSignInOperations, signInPolicyOperations } from "./sign-in.ts";
import { suggestionOperations } from "./suggestions.ts";
import { targetOperations } from "./targets.ts";
import { timesheetOperations } from "./timesheets.ts";
import { accountDeliveryOperations, webhookDeliveryOperations } from "./webhook-deliveries.ts";
import { webhookRotationOperations, webhookSandboxOperations } from "./webhook-sandboxes.ts";

/** Every declared operation. The web interface uses its type alone. */
export const declaredOperations = {
  ...accountDeliveryOperations,
  ...administrationOperations,
  ...articleOperations,
  ...assetOperations,
  ...attachmentOperations,
  ...audienceOperations,
  ...automationOperations,
  ...boardOperations,
  ...bulkChangeOperations,
  ...calendarOperations,
  ...exchangeOperations,
  ...generalOperations,
  ...graphOperations,
  ...identityProviderOperations,
  ...importOperations,
  ...inboxOperations,
  ...keptItemOperations,
  ...listCountOperations,
  ...mailOperations,
  ...mailWordingOperations,
  ...monitoringEventOperations,
  ...noteOperations,
  ...notificationOperations,
  ...openApiOperations,
  ...permissionOperations,
  ...personDataOperations,
  ...personSignInOperations,
  ...portalArticleOperations,
  ...portalFormOperations,
  ...portalOfferOperations,
  ...portalOperations,
  ...privacyOperations,
  ...provisioningOperations,
  ...recurrenceOperations,
  ...reportScheduleOperations,
  ...requestLogOperations,
  ...rightsOperations,
  ...satisfactionOperations,
  ...scopeOperations,
  ...searchOperations,
  ...serviceDeskOperations,
  ...settingsOperations,
  ...shortUrlOperations,
  ...signInPolicyOperations,
  ...subscriptionOperations,
  ...suggestionOperations,
  ...surveyOperations,
  ...targetOperations,
  ...timesheetOperations,
  ...usageOperations,
  ...webhookDeliveryOperations,
  ...webhookRotationOperations,
  ...webhookSandboxOperations,
  ...webhookTestOperations,
  ...workloadOperations,
};
