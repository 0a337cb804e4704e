import { deleteKeptItem, listKeptItems, loadKeptItem, putKeptItem } from "../actions/kept-items.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import type { SessionRoute } from "./session-routes.ts";

// Views, drafts, pins and the like, for everybody who may work in the account. `?owner=` is me, account or team:<id>.

const buildCaller = (visit: SignedInVisit, params: Params) => ({
  person: visit.session.person,
  account: params.account ?? "",
});
const getOwner = (visit: SignedInVisit): string | null => visit.query.get("owner");

// biome-ignore format: a table keeps its columns
export const keptRoutes: readonly SessionRoute[] = [
  { method: "GET",    path: "/kept/:kind",      handle: (visit, params) => listKeptItems(visit.oauth, buildCaller(visit, params), params.kind ?? "", getOwner(visit)) },
  { method: "GET",    path: "/kept/:kind/:key", handle: (visit, params) => loadKeptItem(visit.oauth, buildCaller(visit, params), params.kind ?? "", params.key ?? "", getOwner(visit)) },
  { method: "PUT",    path: "/kept/:kind/:key", handle: (visit, params, value) => putKeptItem(visit.oauth, buildCaller(visit, params), params.kind ?? "", params.key ?? "", { owner: getOwner(visit), value }) },
  { method: "DELETE", path: "/kept/:kind/:key", handle: (visit, params) => deleteKeptItem(visit.oauth, buildCaller(visit, params), params.kind ?? "", params.key ?? "", getOwner(visit)) },
];
