import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useParams,
} from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { webhook } from "../records/settings/webhook.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { ApiError } from "./api.ts";
import { history } from "./history.ts";
import { ErrorMessage } from "./parts/error-message.tsx";
import { findTypeByCollection } from "./record-types.ts";
import { AccountFrame } from "./workspace/shell/account-frame.tsx";
import { AccountStart, StartRedirect } from "./workspace/shell/start-redirect.tsx";

// Which address shows which screen. Addresses are made in paths.ts. Each screen is loaded when it is first wanted.

const NotFound = () => <ErrorMessage error={new ApiError(404, "")} />;

type Loaded<Props> = ComponentType<Props> & { preload?: (() => Promise<void> | undefined) | undefined };
type RecordScreenProps = { type: RecordType; id: string };

/** A screen of the record type that the address names. A new type or record is a new screen, not the old one changed. */
function withRecordType(Screen: Loaded<RecordScreenProps>) {
  function TypeScreen() {
    const { collection = "", id = "" } = useParams({ strict: false });
    const type = findTypeByCollection(collection);
    return type === undefined ? <NotFound /> : <Screen key={`${collection}/${id}`} type={type} id={id} />;
  }
  return Object.assign(TypeScreen, { preload: Screen.preload });
}

/** A screen of one record of a type that has a page of its own. */
export function withId(Screen: Loaded<{ id: string }>) {
  function IdScreen() {
    const { id = "" } = useParams({ strict: false });
    return <Screen key={id} id={id} />;
  }
  return Object.assign(IdScreen, { preload: Screen.preload });
}

const ListScreen = lazyRouteComponent(() => import("./workspace/lists/list-screen.tsx"), "ListScreen");
const CreateScreen = lazyRouteComponent(() => import("./workspace/records/create.tsx"), "CreateScreen");
const RecordScreen = lazyRouteComponent(() => import("./workspace/records/record.tsx"), "RecordScreen");
const EditScreen = lazyRouteComponent(() => import("./workspace/records/edit.tsx"), "EditScreen");
const ApplicationScreen = lazyRouteComponent(
  () => import("./settings/applications/application.tsx"),
  "ApplicationScreen",
);
const RuleScreen = lazyRouteComponent(() => import("./settings/automation/rule.tsx"), "RuleScreen");
const WebhookScreen = lazyRouteComponent(() => import("./settings/webhooks/webhook.tsx"), "WebhookScreen");
const DeliveryScreen = lazyRouteComponent(() => import("./settings/webhooks/delivery.tsx"), "DeliveryScreen");

const ApplicationRoute = withId(({ id }) => <ApplicationScreen id={Number(id)} />);
const WebhookRoute = withId(({ id }) => <WebhookScreen id={Number(id)} />);
const RuleRoute = withId(({ id }) => <RuleScreen id={id} />);

function DeliveryRoute() {
  const { id = "", delivery = "" } = useParams({ strict: false }) as { id?: string; delivery?: string };
  return <DeliveryScreen key={delivery} webhook={Number(id)} id={Number(delivery)} />;
}

const CreateWebhookRoute = () => <CreateScreen type={webhook} />;

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const account = createRoute({ getParentRoute: () => root, path: "/a/$account", component: AccountFrame });
const accountRoute = <Path extends string>(path: Path, component: ComponentType) =>
  createRoute({ getParentRoute: () => account, path, component: component as () => ReactNode });

/** A screen that takes nothing from the address but the account. */
const lazyScreen = <Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) => accountRoute(path, lazyRouteComponent(load, name) as unknown as ComponentType);

// biome-ignore format: one line per address
const allRoutes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: StartRedirect }),
  account.addChildren([
    accountRoute("/", AccountStart),
    lazyScreen("inbox", () => import("./workspace/inbox/inbox.tsx"), "InboxScreen"),
    lazyScreen("inbox/$tab", () => import("./workspace/inbox/inbox.tsx"), "InboxScreen"),
    lazyScreen("search", () => import("./workspace/search/search.tsx"), "SearchScreen"),
    lazyScreen("notifications", () => import("./workspace/notifications/notifications.tsx"), "NotificationsScreen"),
    lazyScreen("profile/general", () => import("./settings/profile/general.tsx"), "ProfileScreen"),
    lazyScreen("profile/security", () => import("./settings/profile/security.tsx"), "SecurityScreen"),
    lazyScreen("profile/tokens", () => import("./settings/profile/tokens.tsx"), "TokensScreen"),
    lazyScreen("profile/tokens/new", () => import("./settings/profile/new-token.tsx"), "NewTokenScreen"),
    lazyScreen("settings", () => import("./settings/home/settings-home.tsx"), "SettingsScreen"),
    lazyScreen("settings/records", () => import("./settings/home/all-records.tsx"), "AllRecordsScreen"),
    lazyScreen("settings/account", () => import("./settings/account/account.tsx"), "AccountScreen"),
    lazyScreen("settings/applications", () => import("./settings/applications/applications.tsx"), "ApplicationsScreen"),
    lazyScreen("settings/applications/new", () => import("./settings/applications/new-application.tsx"), "NewApplicationScreen"),
    accountRoute("settings/applications/$id", ApplicationRoute),
    lazyScreen("settings/rules", () => import("./settings/automation/rules.tsx"), "RulesScreen"),
    accountRoute("settings/rules/$id", RuleRoute),
    lazyScreen("settings/trail", () => import("./settings/account/security-trail.tsx"), "SecurityTrailScreen"),
    lazyScreen("settings/failed-jobs", () => import("./settings/account/failed-jobs.tsx"), "FailedJobsScreen"),
    lazyScreen("settings/mails", () => import("./settings/email/sent-emails.tsx"), "MailsScreen"),
    lazyScreen("settings/received-mails", () => import("./settings/email/received-emails.tsx"), "ReceivedMailsScreen"),
    lazyScreen("webhooks", () => import("./settings/webhooks/webhooks.tsx"), "WebhooksScreen"),
    accountRoute("webhooks/new", CreateWebhookRoute),
    accountRoute("webhooks/$id", WebhookRoute),
    accountRoute("webhooks/$id/deliveries/$delivery", DeliveryRoute),
    accountRoute("$collection", withRecordType(ListScreen as Loaded<RecordScreenProps>)),
    accountRoute("$collection/new", withRecordType(CreateScreen as Loaded<RecordScreenProps>)),
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
