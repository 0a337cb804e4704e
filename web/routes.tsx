import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  useParams,
  useSearch,
} from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import type { RecordType } from "../records/vocabulary/index.ts";
import { ApiError } from "./api/index.ts";
import { history } from "./base/history.ts";
import { findEntryByCollection } from "./base/type-index.ts";
import type { LazyPart } from "./elements/lazy-part.tsx";
import { withWords } from "./languages/labels.ts";
import { waitForConnection } from "./live/connectivity.ts";
import { ErrorMessage } from "./parts/error-message.tsx";
import { lazyScreen } from "./parts/loading/lazy-screen.tsx";
import { listPages } from "./workspace/records/list-pages.ts";
import { newRecordPages, recordPages } from "./workspace/records/record-pages.ts";
import { AccountFrame } from "./workspace/shell/account/account-frame.tsx";
import { AccountStart, StartRedirect } from "./workspace/shell/account/start-redirect.tsx";

// Maps addresses to screens. Addresses are built in paths.ts. Each screen is loaded on first use.

const NotFound = () => <ErrorMessage error={new ApiError(404, "")} />;

type RecordScreenProps = { type: RecordType; id: string };

/** A screen that is loaded on first use, together with its texts. */
const lazyWithWords = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyPart<Props> => lazyScreen(async () => (await withWords(load()))[name]);

/**
 * A screen of the record type in the address. Another type or record mounts a new screen instead of updating the old
 * one.
 */
const lazyRecordScreen = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType<RecordScreenProps>>>,
  name: Name,
): LazyPart<object> =>
  lazyWithWords(async () => {
    const [loaded, { findTypeByCollection }] = await Promise.all([load(), import("./base/record-types.ts")]);
    const Screen: ComponentType<RecordScreenProps> = loaded[name];
    function TypeScreen() {
      const { collection = "", id = "" } = useParams({ strict: false });
      const type = findTypeByCollection(collection);
      return type === undefined ? <NotFound /> : <Screen key={`${collection}/${id}`} type={type} id={id} />;
    }
    return { TypeScreen };
  }, "TypeScreen");

/** A screen of one record of a type with its own page. */
export function withId(Screen: LazyPart<{ id: string }>) {
  function IdScreen() {
    const { id = "" } = useParams({ strict: false });
    return <Screen key={id} id={id} />;
  }
  return Object.assign(IdScreen, { preload: Screen.preload });
}

const ListScreen = lazyRecordScreen(() => import("./workspace/lists/list-screen.tsx"), "ListScreen");
const CreateScreen = lazyRecordScreen(() => import("./parts/records/create.tsx"), "CreateScreen");
const GeneratedScreen = lazyRecordScreen(() => import("./workspace/records/record.tsx"), "GeneratedScreen");
const EditScreen = lazyRecordScreen(() => import("./workspace/records/edit.tsx"), "EditScreen");
const WebhookScreen = lazyWithWords(() => import("./settings/webhooks/webhook.tsx"), "WebhookScreen");
const CreateWebhookScreen = lazyWithWords(() => import("./settings/webhooks/new-webhook.tsx"), "NewWebhookScreen");

// Its texts are among the first ones loaded.
const InboxScreen = lazyScreen(async () => (await import("./workspace/inbox/inbox.tsx")).InboxScreen);

const WebhookRoute = withId(
  Object.assign(({ id }: { id: string }) => <WebhookScreen id={Number(id)} />, { preload: WebhookScreen.preload }),
);

type Pages = Readonly<Record<string, LazyPart<RecordScreenProps>>>;
const asScreens = (pages: Pages) =>
  new Map(
    Object.entries(pages).map(([name, Page]) => [
      name,
      lazyRecordScreen(async () => {
        await Page.preload();
        return { Page };
      }, "Page"),
    ]),
  );
const [ownPages, ownLists, ownForms] = [asScreens(recordPages), asScreens(listPages), asScreens(newRecordPages)];

type Address = { collection?: string; search: object };
type PickPage = (address: Address) => LazyPart<object>;

/** Picks the type's own page from these, else the generic one. */
const pickPage = (
  pages: ReadonlyMap<string, LazyPart<object>>,
  collection: string | undefined,
  general: LazyPart<object>,
) => pages.get(findEntryByCollection(collection ?? "")?.name ?? "") ?? general;

const pickRecordPage: PickPage = ({ collection }) => pickPage(ownPages, collection, GeneratedScreen);
const pickForm: PickPage = ({ collection }) => pickPage(ownForms, collection, CreateScreen);
/** An address with a view or a filter opens the generic list. */
const pickList: PickPage = ({ collection, search }) => {
  const parameters = Object.keys(search).filter((name) => !["new", "language"].includes(name));
  return pickPage(parameters.length === 0 ? ownLists : new Map(), collection, ListScreen);
};

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const account = createRoute({ getParentRoute: () => root, path: "/a/$account", component: AccountFrame });
// The router accepts only functions; ComponentType includes classes, which no screen is.
const accountRoute = <Path extends string>(path: Path, component: ComponentType) =>
  createRoute({ getParentRoute: () => account, path, component: component as () => ReactNode });

/**
 * Loads the page before the person leaves the previous one: loading it while rendering would leave 300 ms of blank
 * page.
 */
const collectionRoute = <Path extends string>(path: Path, pick: PickPage) =>
  createRoute({
    getParentRoute: () => account,
    path,
    // The path is a type parameter, so the router can't derive the names of its parameters.
    loader: ({ params, location: { search } }) =>
      pick({ ...(params as { collection?: string }), search: search as object }).preload(),
    component: function CollectionRoute() {
      const { collection }: { collection?: string } = useParams({ strict: false });
      const Page = pick({ ...(collection === undefined ? {} : { collection }), search: useSearch({ strict: false }) });
      return <Page />;
    },
  });

/**
 * A message no longer has its own page: it is shown beside the others of its webhook. The router redirects before it
 * renders, so that a link followed meanwhile isn't overridden.
 */
const deliveryRoute = createRoute({
  getParentRoute: () => account,
  path: "webhooks/$id/deliveries/$delivery",
  beforeLoad({ params: { delivery, ...params } }) {
    throw redirect({ to: "/a/$account/webhooks/$id", params, search: { delivery }, replace: true });
  },
});

/** Settings pages are many and rarely used: their list is loaded with the first of them. */
const loadSettings = () => withWords(import("./settings/settings-screens.tsx"));
const settingsRoute = createRoute({
  getParentRoute: () => account,
  path: "settings/$",
  loader: ({ params: { _splat = "" } }) =>
    Promise.race([
      loadSettings().then(({ preloadSettingsScreen }) => preloadSettingsScreen(_splat)),
      waitForConnection(false),
    ]).catch(() => undefined), // the screen shows the error
  component: lazyWithWords(loadSettings, "SettingsScreenRoute"),
});

/** A screen whose only parameter is the account. */
const screenRoute = <Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) => accountRoute(path, lazyWithWords(load, name));

// biome-ignore format: one line per address
const allRoutes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: StartRedirect }),
  account.addChildren([
    accountRoute("/", AccountStart),
    accountRoute("inbox", InboxScreen),
    accountRoute("inbox/$tab", InboxScreen),
    screenRoute("dashboards", () => import("./workspace/dashboards/dashboard-screen.tsx"), "DashboardScreen"),
    screenRoute("dashboards/$key", () => import("./workspace/dashboards/dashboard-screen.tsx"), "DashboardScreen"),
    screenRoute("timesheet", () => import("./workspace/time/timesheet-screen.tsx"), "TimesheetScreen"),
    screenRoute("timesheet/$date", () => import("./workspace/time/timesheet-screen.tsx"), "TimesheetScreen"),
    screenRoute("calendar", () => import("./workspace/time/calendar-screen.tsx"), "CalendarScreen"),
    screenRoute("calendar/$date", () => import("./workspace/time/calendar-screen.tsx"), "CalendarScreen"),
    screenRoute("reports", () => import("./workspace/dashboards/reports-screen.tsx"), "ReportsScreen"),
    screenRoute("reports/$key", () => import("./workspace/dashboards/dashboard-screen.tsx"), "ReportScreen"),
    screenRoute("search", () => import("./workspace/search/search.tsx"), "SearchScreen"),
    screenRoute("notifications", () => import("./workspace/notifications/notifications.tsx"), "NotificationsScreen"),
    screenRoute("profile/general", () => import("./settings/profile/general.tsx"), "ProfileScreen"),
    screenRoute("profile/security", () => import("./settings/profile/security.tsx"), "SecurityScreen"),
    screenRoute("profile/tokens", () => import("./settings/profile/tokens.tsx"), "TokensScreen"),
    screenRoute("profile/tokens/new", () => import("./settings/profile/new-token.tsx"), "NewTokenScreen"),
    settingsRoute,
    screenRoute("webhooks", () => import("./settings/webhooks/webhooks.tsx"), "WebhooksScreen"),
    accountRoute("webhooks/new", CreateWebhookScreen),
    accountRoute("webhooks/$id", WebhookRoute),
    deliveryRoute,
    collectionRoute("$collection", pickList),
    collectionRoute("$collection/new", pickForm),
    collectionRoute("$collection/$id", pickRecordPage),
    accountRoute("$collection/$id/edit", EditScreen),
  ]),
]);

/** Parameters are text, as in the API: "5" stays "5". */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (search: Record<string, unknown>): string => {
  const parameters = Object.entries(search).filter(([, value]) => value !== undefined);
  return parameters.length === 0
    ? ""
    : `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
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
