import { notificationOperations } from "../../../../records/answers/notifications.ts";
import { Forbidden } from "../../../base/errors.ts";
import { parseRecordKey } from "../../../engine/read/record-key.ts";
import { listNotifications, markNotificationsRead, setMuted } from "../../../notifications/notification-list.ts";
import { getParameter } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { noContent, ok, type Route } from "../../http/route.ts";
import { loadReadScopes } from "../../http/token-scopes.ts";
import { serve } from "../../operations/serve.ts";

const read = { type: "notification", action: "Read" } as const;
const update = { type: "notification", action: "Update" } as const;

/** The caller's notifications, and the records that cause none. */
export const notificationRoutes = (api: Api): Route[] =>
  serve(notificationOperations, {
    "GET /notifications": {
      scope: read,
      async handle(call) {
        const after = getParameter(call.query, "after");
        return ok(await listNotifications(call.engine, call.caller, after, await loadReadScopes(api, call)));
      },
    },
    "POST /notifications/read": {
      scope: update,
      isRoutine: true,
      handle: async (call) => ok(await markNotificationsRead(call.engine, call.caller, (await call.body()).members)),
    },
    "PUT /notifications/muted/:type/:id": {
      scope: update,
      async handle(call) {
        const id = /^[1-9]\d{0,9}$/.test(call.params.id ?? "") ? Number(call.params.id) : undefined;
        const record = parseRecordKey(call.engine, { type: call.params.type, id });
        if (!(await loadReadScopes(api, call))(record.type)) throw new Forbidden();
        await setMuted(call.engine, call.caller, record, (await call.body()).members.muted);
        return noContent;
      },
    },
  });
