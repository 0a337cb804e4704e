import { createRootRoute, createRoute, createRouter, Outlet, useParams } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { webhook } from "../records/settings/webhook.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { ApiError } from "./api.ts";
import { findTypeByCollection } from "./groups.ts";
import { history } from "./history.ts";
import { ErrorMessage } from "./parts/problem.tsx";
import { AccountScreen } from "./screens/account.tsx";
import { ApplicationScreen } from "./screens/application.tsx";
import { ApplicationsScreen } from "./screens/applications.tsx";
import { CreateScreen } from "./screens/create.tsx";
import { DeliveryScreen } from "./screens/delivery.tsx";
import { EditScreen } from "./screens/edit.tsx";
import { AccountFrame } from "./screens/frame.tsx";
import { HomeScreen } from "./screens/home.tsx";
import { ListScreen } from "./screens/list.tsx";
import { MailsScreen } from "./screens/mails.tsx";
import { NewApplicationScreen } from "./screens/new-application.tsx";
import { NewTokenScreen } from "./screens/new-token.tsx";
import { ReceivedMailsScreen } from "./screens/received-mails.tsx";
import { RecordScreen } from "./screens/record.tsx";
import { RuleScreen } from "./screens/rule.tsx";
import { RulesScreen } from "./screens/rules.tsx";
import { SearchScreen } from "./screens/search.tsx";
import { SecurityScreen } from "./screens/security.tsx";
import { StartRedirect } from "./screens/start.tsx";
import { TokensScreen } from "./screens/tokens.tsx";
import { SecurityTrailScreen } from "./screens/trail.tsx";
import { WebhookScreen } from "./screens/webhook.tsx";
import { WebhooksScreen } from "./screens/webhooks.tsx";

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
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
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
