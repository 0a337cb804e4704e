import { createRootRoute, createRoute, createRouter, Outlet, useParams } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { webhook } from "../records/settings/webhook.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { ApiError } from "./api.ts";
import { history } from "./history.ts";
import { ErrorMessage } from "./parts/error-message.tsx";
import { findTypeByCollection } from "./record-types.ts";
import { AccountScreen } from "./settings/account/account.tsx";
import { SecurityTrailScreen } from "./settings/account/security-trail.tsx";
import { ApplicationScreen } from "./settings/applications/application.tsx";
import { ApplicationsScreen } from "./settings/applications/applications.tsx";
import { NewApplicationScreen } from "./settings/applications/new-application.tsx";
import { RuleScreen } from "./settings/automation/rule.tsx";
import { RulesScreen } from "./settings/automation/rules.tsx";
import { ReceivedMailsScreen } from "./settings/email/received-emails.tsx";
import { MailsScreen } from "./settings/email/sent-emails.tsx";
import { NewTokenScreen } from "./settings/profile/new-token.tsx";
import { SecurityScreen } from "./settings/profile/security.tsx";
import { TokensScreen } from "./settings/profile/tokens.tsx";
import { DeliveryScreen } from "./settings/webhooks/delivery.tsx";
import { WebhookScreen } from "./settings/webhooks/webhook.tsx";
import { WebhooksScreen } from "./settings/webhooks/webhooks.tsx";
import { HomeScreen } from "./workspace/home.tsx";
import { ListScreen } from "./workspace/lists/list-screen.tsx";
import { CreateScreen } from "./workspace/records/create.tsx";
import { EditScreen } from "./workspace/records/edit.tsx";
import { RecordScreen } from "./workspace/records/record.tsx";
import { SearchScreen } from "./workspace/search/search.tsx";
import { AccountFrame } from "./workspace/shell/account-frame.tsx";
import { StartRedirect } from "./workspace/shell/start-redirect.tsx";

// Which address shows which screen. Addresses are made in paths.ts.

const NotFound = () => <ErrorMessage error={new ApiError(404, "")} />;

/** A screen of the record type that the address names. A new type or record is a new screen, not the old one changed. */
const withRecordType = (Screen: ComponentType<{ type: RecordType; id: string }>) =>
  function TypeScreen() {
    const { collection = "", id = "" } = useParams({ strict: false });
    const type = findTypeByCollection(collection);
    return type === undefined ? <NotFound /> : <Screen key={`${collection}/${id}`} type={type} id={id} />;
  };

function ApplicationRoute() {
  const { id = "" } = useParams({ strict: false });
  return <ApplicationScreen key={id} id={Number(id)} />;
}

function WebhookRoute() {
  const { id = "" } = useParams({ strict: false });
  return <WebhookScreen key={id} id={Number(id)} />;
}

function DeliveryRoute() {
  const { id = "", delivery = "" } = useParams({ strict: false }) as { id?: string; delivery?: string };
  return <DeliveryScreen key={delivery} webhook={Number(id)} id={Number(delivery)} />;
}

const CreateWebhookRoute = () => <CreateScreen type={webhook} />;

function RuleRoute() {
  const { id = "" } = useParams({ strict: false });
  return <RuleScreen key={id} id={id} />;
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const account = createRoute({ getParentRoute: () => root, path: "/a/$account", component: AccountFrame });
const accountRoute = <Path extends string>(path: Path, component: () => ReactNode) =>
  createRoute({ getParentRoute: () => account, path, component });

const allRoutes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: StartRedirect }),
  account.addChildren([
    accountRoute("/", HomeScreen),
    accountRoute("search", SearchScreen),
    accountRoute("profile/security", SecurityScreen),
    accountRoute("profile/tokens", TokensScreen),
    accountRoute("profile/tokens/new", NewTokenScreen),
    accountRoute("settings/account", AccountScreen),
    accountRoute("settings/applications", ApplicationsScreen),
    accountRoute("settings/applications/new", NewApplicationScreen),
    accountRoute("settings/applications/$id", ApplicationRoute),
    accountRoute("settings/rules", RulesScreen),
    accountRoute("settings/rules/$id", RuleRoute),
    accountRoute("settings/trail", SecurityTrailScreen),
    accountRoute("settings/mails", MailsScreen),
    accountRoute("settings/received-mails", ReceivedMailsScreen),
    accountRoute("webhooks", WebhooksScreen),
    accountRoute("webhooks/new", CreateWebhookRoute),
    accountRoute("webhooks/$id", WebhookRoute),
    accountRoute("webhooks/$id/deliveries/$delivery", DeliveryRoute),
    accountRoute("$collection", withRecordType(ListScreen)),
    accountRoute("$collection/new", withRecordType(CreateScreen)),
    accountRoute("$collection/$id", withRecordType(RecordScreen)),
    accountRoute("$collection/$id/edit", withRecordType(EditScreen)),
  ]),
]);

/** Parameters are text, as in the API: "5" stays "5". */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

export const router = createRouter({
  routeTree: allRoutes,
  history,
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <ErrorMessage error={error} retry={reset} />,
  scrollRestoration: true,
});
