import { useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { ApiError } from "../api.ts";
import { ErrorMessage } from "../parts/error-message.tsx";
import type { LazyPart } from "../parts/loading/lazy-part.tsx";
import { lazyScreen } from "../parts/loading/lazy-screen.tsx";

// Which address below /a/<account>/settings/ shows which screen. Addresses are made in paths.ts.

/** The parts of an address that its pattern names with a dollar. */
type Parts = Readonly<Record<string, string>>;
type SettingsScreen = { pattern: readonly string[]; Screen: LazyPart<Parts> };

const splitAddress = (address: string): readonly string[] => address.split("/").filter((segment) => segment !== "");

const declareScreen = (pattern: string, load: () => Promise<ComponentType<Parts>>): SettingsScreen => ({
  pattern: splitAddress(pattern),
  Screen: lazyScreen(load),
});

// An address is shown by the first pattern that fits it.
// biome-ignore format: one line per address
const screens: readonly SettingsScreen[] = [
  declareScreen("", async () => (await import("./home/settings-home.tsx")).SettingsScreen),
  declareScreen("records", async () => (await import("./home/all-records.tsx")).AllRecordsScreen),
  declareScreen("account", async () => (await import("./account/account.tsx")).AccountScreen),
  declareScreen("portal", async () => (await import("./portal/portal-settings.tsx")).PortalSettingsScreen),
  declareScreen("applications", async () => (await import("./applications/applications.tsx")).ApplicationsScreen),
  declareScreen("applications/new", async () => (await import("./applications/new-application.tsx")).NewApplicationScreen),
  declareScreen("applications/$id", async () => {
    const { ApplicationScreen } = await import("./applications/application.tsx");
    return ({ id = "" }) => <ApplicationScreen key={id} id={Number(id)} />;
  }),
  declareScreen("applications/$id/try", async () => {
    const { TryFlowScreen } = await import("./applications/try-flow/try-flow.tsx");
    return ({ id = "" }) => <TryFlowScreen key={id} id={Number(id)} />;
  }),
  declareScreen("api", async () => (await import("./developers/reference.tsx")).ReferenceScreen),
  declareScreen("api/changes", async () => (await import("./developers/changes.tsx")).ChangesScreen),
  declareScreen("request-log", async () => (await import("./developers/request-log.tsx")).RequestLogScreen),
  declareScreen("rules", async () => (await import("./automation/rules.tsx")).RulesScreen),
  declareScreen("rules/new", async () => (await import("./automation/rule.tsx")).NewRuleScreen),
  declareScreen("rules/runs", async () => (await import("./automation/run-log.tsx")).RunLogScreen),
  declareScreen("rules/$id", async () => {
    const { RuleScreen } = await import("./automation/rule.tsx");
    return ({ id = "" }) => <RuleScreen key={id} id={id} />;
  }),
  declareScreen("audit", async () => (await import("./audit/audit-screen.tsx")).AuditScreen),
  declareScreen("trail", async () => (await import("./audit/security-screen.tsx")).SecurityTrailScreen),
  declareScreen("archive", async () => (await import("./archive/archive-screen.tsx")).ArchiveScreen),
  declareScreen("trash", async () => (await import("./archive/archive-screen.tsx")).TrashScreen),
  declareScreen("exchange", async () => (await import("./exchange/exchange-screen.tsx")).ExchangeScreen),
  declareScreen("exchange/new", async () => (await import("./exchange/new-import.tsx")).NewImportScreen),
  declareScreen("exchange/$token", async () => {
    const { ImportScreen } = await import("./exchange/import-screen.tsx");
    return ({ token = "" }) => <ImportScreen key={token} token={token} />;
  }),
  declareScreen("privacy", async () => (await import("./privacy/privacy-screen.tsx")).PrivacyScreen),
  declareScreen("provisioning", async () => {
    const { ProvisioningScreen } = await import("./provisioning/provisioning-screen.tsx");
    return ProvisioningScreen;
  }),
  declareScreen("sign-in", async () => (await import("./account/sign-in-policy.tsx")).SignInPolicyScreen),
  declareScreen("identity-providers", async () => (await import("./identity-providers/providers.tsx")).ProvidersScreen),
  declareScreen("identity-providers/new", async () => (await import("./identity-providers/new-provider.tsx")).NewProviderScreen),
  declareScreen("identity-providers/$id", async () => {
    const { ProviderScreen } = await import("./identity-providers/provider.tsx");
    return ({ id = "" }) => <ProviderScreen key={id} id={Number(id)} />;
  }),
  declareScreen("failed-jobs", async () => (await import("./account/failed-jobs.tsx")).FailedJobsScreen),
  declareScreen("mails", async () => (await import("./email/sent-emails.tsx")).MailsScreen),
  declareScreen("mail-texts", async () => (await import("./email/mail-wordings.tsx")).MailWordingsScreen),
  declareScreen("received-mails", async () => (await import("./email/received-emails.tsx")).ReceivedMailsScreen),
  declareScreen("webhook-deliveries", async () => (await import("./webhooks/all-deliveries.tsx")).AllDeliveriesScreen),
  declareScreen("webhook-sandboxes", async () => (await import("./webhooks/sandbox/sandbox.tsx")).SandboxScreen),
  declareScreen("webhook-keys", async () => (await import("./webhooks/webhook-keys.tsx")).WebhookKeysScreen),
];

/** Null: the segment is another one. */
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

/** Before the page before it is left. */
export const preloadSettingsScreen = (address: string): Promise<void> | undefined =>
  findScreen(address)?.Screen.preload();

export function SettingsScreenRoute() {
  const { _splat = "" } = useParams({ strict: false });
  const found = findScreen(_splat);
  return found === null ? <ErrorMessage error={new ApiError(404, "")} /> : <found.Screen {...found.parts} />;
}
