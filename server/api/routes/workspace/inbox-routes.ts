import { inboxOperations, inboxTabs } from "../../../../records/answers/inbox.ts";
import { decodeInboxCursor } from "../../../actions/inbox/inbox-cursor.ts";
import { loadInbox } from "../../../actions/inbox/load-inbox.ts";
import { markSeen } from "../../../actions/inbox/seen-marks.ts";
import { BadRequest, Forbidden } from "../../../base/errors.ts";
import { parseRecordKey } from "../../../engine/read/record-key.ts";
import { getParameter } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { loadReadScopes } from "../../http/token-scopes.ts";
import { serve } from "../../operations/serve.ts";

/** One list of the caller's work, and what the caller has seen of it. */
export const inboxRoutes = (api: Api): Route[] =>
  serve(inboxOperations, {
    "GET /inbox": {
      scope: { type: "inbox", action: "Read" },
      async handle(call) {
        const query = parseInboxQuery(call);
        const mayRead = await loadReadScopes(api, call);
        return ok(await loadInbox(call.engine, call.caller, { ...query, mayRead }));
      },
    },
    "POST /inbox/seen": {
      scope: { type: "inbox", action: "Update" },
      isRoutine: true,
      async handle(call) {
        const record = parseRecordKey(call.engine, (await call.body()).members);
        if (!(await loadReadScopes(api, call))(record.type)) throw new Forbidden();
        await markSeen(call.engine, call.caller, record);
        return noContent;
      },
    },
  });

function parseInboxQuery({ query }: Call) {
  const given = getParameter(query, "tab") ?? "mine";
  const tab = inboxTabs.find((each) => each === given);
  if (tab === undefined) throw new BadRequest("Invalid value for parameter 'tab'");
  const perPage = getParameter(query, "per_page") ?? "50";
  if (!/^([1-9]\d?|100)$/.test(perPage)) throw new BadRequest("Invalid value for parameter 'per_page'");
  const after = getParameter(query, "after") ?? "";
  return { tab, perPage: Number(perPage), after: after === "" ? null : decodeInboxCursor(after) };
}
