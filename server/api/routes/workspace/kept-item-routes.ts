import { keptItemOperations } from "../../../../records/answers/kept-items.ts";
import { deleteKeptItem, listKeptItems, loadKeptItem, putKeptItem } from "../../../actions/kept-items.ts";
import { getParameter } from "../../http/parameters.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

const read = { type: "kept-item", action: "Read" } as const;

const pickCaller = ({ caller: { me, account } }: Call) => ({ person: me, account });
const getOwner = ({ query }: Call) => getParameter(query, "owner");

/** Data that the interface stores for a person, a team or the account. */
export const keptItemRoutes = (): Route[] =>
  serve(keptItemOperations, {
    "GET /kept_items/:kind": {
      scope: read,
      handle: async (call) =>
        ok(await listKeptItems(call.engine, pickCaller(call), call.params.kind ?? "", getOwner(call))),
    },
    "GET /kept_items/:kind/:key": {
      scope: read,
      async handle(call) {
        const { kind = "", key = "" } = call.params;
        return ok(await loadKeptItem(call.engine, pickCaller(call), kind, key, getOwner(call)));
      },
    },
    "PUT /kept_items/:kind/:key": {
      scope: { type: "kept-item", action: "Update" },
      isRoutine: true,
      async handle(call) {
        const { kind = "", key = "" } = call.params;
        const { value } = (await call.body()).members;
        return ok(await putKeptItem(call.engine, pickCaller(call), kind, key, { owner: getOwner(call), value }));
      },
    },
    "DELETE /kept_items/:kind/:key": {
      scope: { type: "kept-item", action: "Delete" },
      isRoutine: true,
      async handle(call) {
        const { kind = "", key = "" } = call.params;
        await deleteKeptItem(call.engine, pickCaller(call), kind, key, getOwner(call));
        return noContent;
      },
    },
  });
