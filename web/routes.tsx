import { createRootRoute, createRoute, createRouter, Outlet, useParams } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { webhook } from "../records/settings/webhook.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { ApiError } from "./api.ts";
import { typeOfCollection } from "./groups.ts";
import { history } from "./history.ts";
import { Problem } from "./parts/problem.tsx";
import { AccountScreen } from "./screens/account.tsx";
import { ApplicationScreen } from "./screens/application.tsx";
import { ApplicationsScreen } from "./screens/applications.tsx";
import { CreateScreen } from "./screens/create.tsx";
import { DeliveryScreen } from "./screens/delivery.tsx";
import { EditScreen } from "./screens/edit.tsx";
import { Frame } from "./screens/frame.tsx";
import { Home } from "./screens/home.tsx";
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
import { Start } from "./screens/start.tsx";
import { TokensScreen } from "./screens/tokens.tsx";
import { TrailScreen } from "./screens/trail.tsx";
import { WebhookScreen } from "./screens/webhook.tsx";
import { WebhooksScreen } from "./screens/webhooks.tsx";

// Which address shows which screen. Addresses are made in paths.ts.

const NotFound = () => <Problem error={new ApiError(404, "")} />;

/** A screen of the record type that the address names. A new type or record is a new screen, not the old one changed. */
const ofType = (Screen: ComponentType<{ type: RecordType; id: string }>) =>
  function TypeScreen() {
    const { collection = "", id = "" } = useParams({ strict: false });
    const type = typeOfCollection(collection);
    return type === undefined ? <NotFound /> : <Screen key={`${collection}/${id}`} type={type} id={id} />;
  };

function OneApplication() {
  const { id = "" } = useParams({ strict: false });
  return <ApplicationScreen key={id} id={Number(id)} />;
}

function OneWebhook() {
  const { id = "" } = useParams({ strict: false });
  return <WebhookScreen key={id} id={Number(id)} />;
}

function OneDelivery() {
  const { id = "", delivery = "" } = useParams({ strict: false }) as { id?: string; delivery?: string };
  return <DeliveryScreen key={delivery} webhook={Number(id)} id={Number(delivery)} />;
}

const CreateWebhook = () => <CreateScreen type={webhook} />;

function OneRule() {
  const { id = "" } = useParams({ strict: false });
  return <RuleScreen key={id} id={id} />;
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const account = createRoute({ getParentRoute: () => root, path: "/a/$account", component: Frame });
const below = <Path extends string>(path: Path, component: () => ReactNode) =>
  createRoute({ getParentRoute: () => account, path, component });

const tree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: Start }),
  account.addChildren([
    below("/", Home),
    below("search", SearchScreen),
    below("profile/security", SecurityScreen),
    below("profile/tokens", TokensScreen),
    below("profile/tokens/new", NewTokenScreen),
    below("settings/account", AccountScreen),
    below("settings/applications", ApplicationsScreen),
    below("settings/applications/new", NewApplicationScreen),
    below("settings/applications/$id", OneApplication),
    below("settings/rules", RulesScreen),
    below("settings/rules/$id", OneRule),
    below("settings/trail", TrailScreen),
    below("settings/mails", MailsScreen),
    below("settings/received-mails", ReceivedMailsScreen),
    below("webhooks", WebhooksScreen),
    below("webhooks/new", CreateWebhook),
    below("webhooks/$id", OneWebhook),
    below("webhooks/$id/deliveries/$delivery", OneDelivery),
    below("$collection", ofType(ListScreen)),
    below("$collection/new", ofType(CreateScreen)),
    below("$collection/$id", ofType(RecordScreen)),
    below("$collection/$id/edit", ofType(EditScreen)),
  ]),
]);

/** Parameters are text, as in the API: "5" stays "5". */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

export const router = createRouter({
  routeTree: tree,
  history,
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
  scrollRestoration: true,
});
