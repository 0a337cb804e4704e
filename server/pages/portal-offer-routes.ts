import { loadShopArticleForm } from "../actions/portal/extension-form.ts";
import { placeOrder, removeFromCart } from "../actions/portal/place-order.ts";
import { loadOrderLinesOf } from "../actions/portal/readable-lines.ts";
import { loadFreeTimes, loadReservationOffers } from "../actions/portal/reservations.ts";
import { cancelReservation, reserve } from "../actions/portal/reserve.ts";
import { parseIdParameter } from "./parse-parameters.ts";
import { loadSessionCaller, type SessionRoute } from "./session-routes.ts";

/** What people order and reserve for themselves, and what a request orders, below /session-api/accounts/:account. */
export const portalOfferRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/portal/shop_articles/:id/form",
    handle: async (visit, params) =>
      loadShopArticleForm(visit.pages.engine, await loadSessionCaller(visit, params), parseIdParameter(params)),
  },
  {
    method: "POST",
    path: "/portal/orders",
    status: 201,
    handle: async (visit, params, body) =>
      placeOrder(visit.pages.engine, await loadSessionCaller(visit, params), body.reason),
  },
  {
    method: "DELETE",
    path: "/portal/cart/:id",
    handle: async (visit, params) =>
      removeFromCart(visit.pages.engine, await loadSessionCaller(visit, params), parseIdParameter(params)),
  },
  {
    method: "GET",
    path: "/requests/:id/order_lines",
    handle: async (visit, params) =>
      loadOrderLinesOf(visit.pages.engine, await loadSessionCaller(visit, params), parseIdParameter(params)),
  },
  {
    method: "GET",
    path: "/portal/reservations",
    handle: async (visit, params) => loadReservationOffers(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
  {
    method: "GET",
    path: "/portal/reservation_offerings/:id/free",
    handle: async (visit, params) =>
      loadFreeTimes(
        visit.pages.engine,
        await loadSessionCaller(visit, params),
        parseIdParameter(params),
        visit.query.get("date"),
      ),
  },
  {
    method: "POST",
    path: "/portal/reservations",
    status: 201,
    handle: async (visit, params, body) => reserve(visit.pages.engine, await loadSessionCaller(visit, params), body),
  },
  {
    method: "DELETE",
    path: "/portal/reservations/:id",
    handle: async (visit, params) =>
      cancelReservation(visit.pages.engine, await loadSessionCaller(visit, params), parseIdParameter(params)),
  },
];
