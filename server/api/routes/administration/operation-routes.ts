import { administrationOperations, deadJob, securityEvent } from "../../../../records/answers/administration.ts";
import { type AbandonHandlers, abandonDeadJob, listDeadJobsOfAccount } from "../../../actions/dead-jobs.ts";
import { NotFound } from "../../../base/errors.ts";
import { listSecurityTrail } from "../../../oauth/security-trail.ts";
import { retryDeadJobs } from "../../../queue/dead-jobs.ts";
import { noContent, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { buildAdministratorList } from "./administrator-list.ts";
import { requireAdministeredAccount } from "./require-administered-account.ts";

// How an account is doing, for its administrators: the security trail, and jobs that failed too often.

export function operationRoutes(abandonHandlers: AbandonHandlers): Route[] {
  return serve(administrationOperations, {
    "GET /security_trail": buildAdministratorList("security-trail", listSecurityTrail, securityEvent),
    "GET /dead_jobs": buildAdministratorList("job", listDeadJobsOfAccount, deadJob),
    "POST /dead_jobs/:job/retry": {
      scope: { type: "job", action: "Update" },
      async handle(call) {
        const wanted = { account: requireAdministeredAccount(call), id: parseJobId(call.params.job) };
        const { database, clock } = call.engine;
        if ((await retryDeadJobs(database, clock.now(), wanted)) === 0) throw new NotFound();
        return noContent;
      },
    },
    "DELETE /dead_jobs/:job": {
      scope: { type: "job", action: "Delete" },
      async handle(call) {
        const account = requireAdministeredAccount(call);
        const id = parseJobId(call.params.job);
        if (!(await abandonDeadJob(call.engine.database, abandonHandlers, account, id))) throw new NotFound();
        return noContent;
      },
    },
  });
}

function parseJobId(text = ""): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id < 2 ** 31)) throw new NotFound();
  return id;
}
