import { portalOfferOperations } from "../../../../records/answers/portal-offers.ts";
import type { TypeName } from "../../../../records/index.ts";
import { placeOrder, removeFromCart } from "../../../actions/portal/place-order.ts";
import { loadOrderLinesOf } from "../../../actions/portal/readable-lines.ts";
import { loadFreeTimes, loadReservationOffers } from "../../../actions/portal/reservations.ts";
import { cancelReservation, reserve } from "../../../actions/portal/reserve.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { getParameter } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, created, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { needScopes } from "./needed-scopes.ts";

/** Orders and reservations in the portal, and the order lines of a request. */
export function portalOfferRoutes({ engine: { types }, domain }: Api): Route[] {
  const parseId = ({ params }: Call, type: TypeName) => parseRecordId(params.id, types.get(type), domain);
  return serve(portalOfferOperations, {
    "POST /portal/orders": {
      ...needScopes(types, ["request", "Create"], ["shop_order_line", "Update"]),
      handle: async (call) => created(await placeOrder(call.engine, call.caller, (await call.body()).members.reason)),
    },
    "DELETE /portal/cart/:id": {
      ...needScopes(types, ["shop_order_line", "Delete"]),
      async handle(call) {
        await removeFromCart(call.engine, call.caller, parseId(call, "shop_order_line"));
        return noContent;
      },
    },
    "GET /requests/:id/order_lines": {
      ...needScopes(types, ["request", "Read"], ["shop_order_line", "Read"]),
      handle: async (call) => ok(await loadOrderLinesOf(call.engine, call.caller, parseId(call, "request"))),
    },
    "GET /portal/reservations": {
      ...needScopes(types, ["reservation", "Read"], ["reservation_offering", "Read"]),
      handle: async (call) => ok(await loadReservationOffers(call.engine, call.caller)),
    },
    "GET /portal/reservation_offerings/:id/free": {
      ...needScopes(types, ["reservation_offering", "Read"]),
      handle: async (call) => {
        const day = getParameter(call.query, "date") ?? "";
        return ok(await loadFreeTimes(call.engine, call.caller, parseId(call, "reservation_offering"), day));
      },
    },
    "POST /portal/reservations": {
      ...needScopes(types, ["reservation", "Create"], ["request", "Create"]),
      handle: async (call) => created(await reserve(call.engine, call.caller, (await call.body()).members)),
    },
    "DELETE /portal/reservations/:id": {
      ...needScopes(types, ["reservation", "Update"]),
      async handle(call) {
        await cancelReservation(call.engine, call.caller, parseId(call, "reservation"));
        return noContent;
      },
    },
  });
}
