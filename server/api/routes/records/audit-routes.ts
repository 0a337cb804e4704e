import { listAuditTrail, requireAuditedRecord } from "../../../actions/audit-trail.ts";
import type { Type } from "../../../engine/types.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { respondWithPage } from "../../http/paging.ts";
import { parseListQuery } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";

/** GET /<collection>/:id/audit: the audit trail of one record, newest first. */
export const auditRoute = (api: Api, type: Type): Route => ({
  method: "GET",
  path: `/${type.collection}/:id/audit`,
  scope: { type: type.scopeName, action: "Read" },
  async handle(call) {
    const id = parseRecordId(call.params.id, type, api.domain);
    await requireAuditedRecord(call.engine, call.caller, type, id);
    const query = parseListQuery(call.query, null);
    const page = await listAuditTrail(call.engine, call.caller, type, id, query);
    return respondWithPage(call, page, query.perPage);
  },
});
