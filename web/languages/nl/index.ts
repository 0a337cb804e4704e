import { accountSecurity } from "./account-security.ts";
import { actions } from "./actions.ts";
import { administration } from "./administration.ts";
import { apiPages } from "./api-pages.ts";
import { assets } from "./assets.ts";
import { boards } from "./boards.ts";
import { broadcasts } from "./broadcasts.ts";
import { dashboards } from "./dashboards.ts";
import { exchange } from "./exchange.ts";
import { firstRun } from "./first-run.ts";
import { generic } from "./generic.ts";
import { identityProviders } from "./identity-providers.ts";
import { inbox } from "./inbox.ts";
import { knowledge } from "./knowledge.ts";
import { listLayouts } from "./list-layouts.ts";
import { lists } from "./lists.ts";
import { menu } from "./menu.ts";
import { newRequest } from "./new-request.ts";
import { notifications } from "./notifications.ts";
import { parts } from "./parts.ts";
import { portalSettings } from "./portal-settings.ts";
import { privacy } from "./privacy.ts";
import { profile } from "./profile.ts";
import { projects } from "./projects.ts";
import { provisioning } from "./provisioning.ts";
import { purposes } from "./purposes.ts";
import { request } from "./request.ts";
import { requestTools } from "./request-tools.ts";
import { ruleEditor } from "./rule-editor.ts";
import { secondFactor } from "./second-factor.ts";
import { services } from "./services.ts";
import { settings } from "./settings.ts";
import { settingsHome } from "./settings-home.ts";
import { shell } from "./shell.ts";
import { signInFacts } from "./sign-in-facts.ts";
import { surveys } from "./surveys.ts";
import { time } from "./time.ts";
import { webhookOverview } from "./webhook-overview.ts";
import { workflows } from "./workflows.ts";

export const words = {
  ...shell,
  ...actions,
  ...parts,
  ...inbox,
  ...request,
  ...requestTools,
  ...newRequest,
  ...lists,
  ...purposes,
  ...listLayouts,
  ...notifications,
  ...profile,
  ...provisioning,
  ...secondFactor,
  ...accountSecurity,
  ...signInFacts,
  ...identityProviders,
  ...generic,
  ...settings,
  ...menu,
  ...settingsHome,
  ...administration,
  ...exchange,
  ...privacy,
  ...services,
  ...portalSettings,
  ...firstRun,
  ...boards,
  ...projects,
  ...broadcasts,
  ...surveys,
  ...knowledge,
  ...workflows,
  ...dashboards,
  ...assets,
  ...time,
  ...ruleEditor,
  ...webhookOverview,
  ...apiPages,
} as const;
