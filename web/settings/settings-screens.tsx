import { useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { ApiError } from "../api/index.ts";
import type { LazyPart } from "../elements/lazy-part.tsx";
import { ErrorMessage } from "../parts/error-message.tsx";
import { lazyScreen } from "../parts/loading/lazy-screen.tsx";
import { getSettingsAddress, type ScreenPageId } from "../parts/settings-index/settings-pages.ts";

// The screens below /a/<account>/settings/. The settings are loaded with the first of them (web/routes.tsx).

/** The parameters in an address, marked with a dollar in its pattern. */
type Parts = Readonly<Record<string, string>>;
type LoadScreen = () => Promise<ComponentType<Parts>>;
type SettingsScreen = { pattern: readonly string[]; Screen: LazyPart<Parts> };

/** The screen of each page of settings-pages.ts, at the address that the page has there. */
// biome-ignore format: one line per page
const pageScreens: Readonly<Record<ScreenPageId, LoadScreen>> = {
  records: async () => (await import("./home/all-records.tsx")).AllRecordsScreen,
  general: async () => (await import("./account/account.tsx")).AccountScreen,
  portal: async () => (await import("./portal/portal-settings.tsx")).PortalSettingsScreen,
  applications: async () => (await import("./applications/applications.tsx")).ApplicationsScreen,
  api: async () => (await import("./developers/reference.tsx")).ReferenceScreen,
  requestLog: async () => (await import("./developers/request-log.tsx")).RequestLogScreen,
  rules: async () => (await import("./automation/rules.tsx")).RulesScreen,
  audit: async () => (await import("./audit/audit-screen.tsx")).AuditScreen,
  trail: async () => (await import("./audit/security-screen.tsx")).SecurityTrailScreen,
  archive: async () => (await import("./archive/archive-screen.tsx")).ArchiveScreen,
  exchange: async () => (await import("./exchange/exchange-screen.tsx")).ExchangeScreen,
  privacy: async () => (await import("./privacy/privacy-screen.tsx")).PrivacyScreen,
  provisioning: async () => (await import("./provisioning/provisioning-screen.tsx")).ProvisioningScreen,
  signIn: async () => (await import("./account/sign-in-policy.tsx")).SignInPolicyScreen,
  identityProviders: async () => (await import("./identity-providers/providers.tsx")).ProvidersScreen,
  jobs: async () => (await import("./account/failed-jobs.tsx")).FailedJobsScreen,
  mails: async () => (await import("./email/sent-emails.tsx")).MailsScreen,
  wordings: async () => (await import("./email/mail-wordings.tsx")).MailWordingsScreen,
  received: async () => (await import("./email/received-emails.tsx")).ReceivedMailsScreen,
};

/** Screens that pages link to. The first pattern that matches an address determines the screen. */
// biome-ignore format: one line per address
const otherScreens: Readonly<Record<string, LoadScreen>> = {
  "": async () => (await import("./home/settings-home.tsx")).SettingsScreen,
  "applications/new": async () => (await import("./applications/new-application.tsx")).NewApplicationScreen,
  "applications/$id": async () => {
    const { ApplicationScreen } = await import("./applications/application.tsx");
    return ({ id = "" }) => <ApplicationScreen key={id} id={Number(id)} />;
  },
  "applications/$id/try": async () => {
    const { TryFlowScreen } = await import("./applications/try-flow/try-flow.tsx");
    return ({ id = "" }) => <TryFlowScreen key={id} id={Number(id)} />;
  },
  "api/changes": async () => (await import("./developers/changes.tsx")).ChangesScreen,
  "rules/new": async () => (await import("./automation/rule.tsx")).NewRuleScreen,
  "rules/runs": async () => (await import("./automation/run-log.tsx")).RunLogScreen,
  "rules/$id": async () => {
    const { RuleScreen } = await import("./automation/rule.tsx");
    return ({ id = "" }) => <RuleScreen key={id} id={id} />;
  },
  "trash": async () => (await import("./archive/archive-screen.tsx")).TrashScreen,
  "exchange/new": async () => (await import("./exchange/new-import.tsx")).NewImportScreen,
  "exchange/$token": async () => {
    const { ImportScreen } = await import("./exchange/import-screen.tsx");
    return ({ token = "" }) => <ImportScreen key={token} token={token} />;
  },
  "identity-providers/new": async () => (await import("./identity-providers/new-provider.tsx")).NewProviderScreen,
  "identity-providers/$id": async () => {
    const { ProviderScreen } = await import("./identity-providers/provider.tsx");
    return ({ id = "" }) => <ProviderScreen key={id} id={Number(id)} />;
  },
  "webhook-deliveries": async () => (await import("./webhooks/all-deliveries.tsx")).AllDeliveriesScreen,
  "webhook-sandboxes": async () => (await import("./webhooks/sandbox/sandbox.tsx")).SandboxScreen,
  "webhook-keys": async () => (await import("./webhooks/webhook-keys.tsx")).WebhookKeysScreen,
};

const splitAddress = (address: string): readonly string[] => address.split("/").filter((segment) => segment !== "");

const declareScreen = (address: string, load: LoadScreen): SettingsScreen => ({
  pattern: splitAddress(address),
  Screen: lazyScreen(load),
});

const isPageId = (id: string): id is ScreenPageId => Object.hasOwn(pageScreens, id);
const screens: readonly SettingsScreen[] = [
  ...Object.keys(pageScreens)
    .filter(isPageId)
    .map((id) => declareScreen(getSettingsAddress(id), pageScreens[id])),
  ...Object.entries(otherScreens).map(([address, load]) => declareScreen(address, load)),
];

/** Null: the segment doesn't match. */
function readSegment(pattern: string, segment: string): Parts | null {
  if (pattern.startsWith("$")) return { [pattern.slice(1)]: segment };
  return pattern === segment ? {} : null;
}

function findScreen(address: string): { Screen: LazyPart<Parts>; parts: Parts } | null {
  const segments = splitAddress(address);
  for (const { pattern, Screen } of screens) {
    if (pattern.length !== segments.length) continue;
    const read = pattern.map((each, index) => readSegment(each, segments[index] ?? ""));
    if (read.every((each) => each !== null)) return { Screen, parts: Object.assign({}, ...read) };
  }
  return null;
}

/** Called before the previous page is left. */
export const preloadSettingsScreen = (address: string): Promise<void> | undefined =>
  findScreen(address)?.Screen.preload();

export function SettingsScreenRoute() {
  const { _splat = "" } = useParams({ strict: false });
  const found = findScreen(_splat);
  return found === null ? <ErrorMessage error={new ApiError(404, "")} /> : <found.Screen {...found.parts} />;
}
