import { runDry } from "../../../automation/dry-run.ts";
import { findCompileProblem } from "../../../automation/rule-hooks.ts";
import { loadRunsAsJson } from "../../../automation/run-log.ts";
import type { Automation } from "../../../automation/run-rule.ts";
import { BadRequest, Forbidden } from "../../../base/errors.ts";
import { hasAnyGrant } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";

// For the pages of automation rules: the log of their runs, compile errors, dry runs.

export function automationRoutes(api: Api, automation: Automation): Route[] {
  const type = api.engine.types.get("automation_rule");
  const scope = { type: type.scopeName, action: "Read" } as const;
  /** People who may change rules may see their runs. */
  const requireDesigner = ({ caller: by }: Call) => {
    if (!hasAnyGrant(type, "update", by)) throw new Forbidden();
  };
  const parseBefore = ({ query }: Call): number | null => {
    const given = query.find(({ name }) => name === "before")?.value;
    return given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : null;
  };
  return [
    {
      method: "GET",
      path: "/automation_rules/:id/runs",
      scope,
      async handle(call) {
        requireDesigner(call);
        const id = parseRecordId(call.params.id, type, api.domain);
        await requireRecord(call.engine, call.caller, type, id, "read");
        return ok(await loadRunsAsJson(api.engine.database, call.caller.account, id, parseBefore(call)));
      },
    },
    {
      method: "GET",
      path: "/automation_rule_runs",
      scope,
      async handle(call) {
        requireDesigner(call);
        return ok(await loadRunsAsJson(api.engine.database, call.caller.account, null, parseBefore(call)));
      },
    },
    {
      method: "POST",
      path: "/automation_rule_check",
      scope,
      async handle(call) {
        requireDesigner(call);
        const { members } = await call.body();
        return ok(JSON.stringify({ problem: findCompileProblem(api.engine.types, members) }));
      },
    },
    {
      method: "POST",
      path: "/automation_rule_dry_run",
      scope,
      async handle(call) {
        requireDesigner(call);
        const { members } = await call.body();
        const record = Number(members.record_id);
        if (!Number.isSafeInteger(record) || record < 1) throw new BadRequest("record_id is not valid");
        return ok(JSON.stringify(await runDry(automation, call.caller, members, record)));
      },
    },
  ];
}
