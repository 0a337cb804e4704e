import { createRootRoute, createRoute, createRouter, Outlet, useParams } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import type { RecordType } from "../records/vocabulary/index.ts";
import { ApiError } from "./api.ts";
import { typeOfCollection } from "./groups.ts";
import { history } from "./history.ts";
import { Problem } from "./parts/problem.tsx";
import { AccountScreen } from "./screens/account.tsx";
import { ApplicationScreen } from "./screens/application.tsx";
import { ApplicationsScreen } from "./screens/applications.tsx";
import { CreateScreen } from "./screens/create.tsx";
import { EditScreen } from "./screens/edit.tsx";
import { Frame } from "./screens/frame.tsx";
import { Home } from "./screens/home.tsx";
import { ListScreen } from "./screens/list.tsx";
import { MailsScreen } from "./screens/mails.tsx";
import { NewApplicationScreen } from "./screens/new-application.tsx";
import { NewTokenScreen } from "./screens/new-token.tsx";
import { RecordScreen } from "./screens/record.tsx";
import { SearchScreen } from "./screens/search.tsx";
import { SecurityScreen } from "./screens/security.tsx";
import { Start } from "./screens/start.tsx";
import { TokensScreen } from "./screens/tokens.tsx";
import { TrailScreen } from "./screens/trail.tsx";

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
    below("settings/trail", TrailScreen),
    below("settings/mails", MailsScreen),
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
