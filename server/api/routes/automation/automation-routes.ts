import { automationOperations, runOutcomes } from "../../../../records/answers/automation.ts";
import { completeRule } from "../../../automation/editor/complete.ts";
import { type ExtendRun, runDry } from "../../../automation/editor/dry-run.ts";
import { findLoops } from "../../../automation/editor/find-loops.ts";
import { getRecordType } from "../../../automation/program-cache.ts";
import { checkRule } from "../../../automation/rule-hooks.ts";
import { countRunsAsJson, loadRunsAsJson, type RunFilter } from "../../../automation/run-log.ts";
import type { Automation } from "../../../automation/run-rule.ts";
import { BadRequest, Forbidden } from "../../../base/errors.ts";
import { hasAnyGrant } from "../../../engine/access.ts";
import { requireRecord } from "../../../engine/find.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, okJson, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// For the pages of automation rules: the log of their runs, compile errors, completion, dry runs.

export function automationRoutes(api: Api, automation: Automation, extend: ExtendRun): Route[] {
  const type = api.engine.types.get("automation_rule");
  const scope = { type: type.scopeName, action: "Read" } as const;
  /** People who may change rules may see their runs. */
  const requireDesigner = ({ caller: by }: Call) => {
    if (!hasAnyGrant(type, "update", by)) throw new Forbidden();
  };
  const { types, database, clock } = api.engine;
  return serve(automationOperations, {
    "GET /automation_rules/:id/runs": {
      scope,
      async handle(call) {
        requireDesigner(call);
        const rule = parseRecordId(call.params.id, type, api.domain);
        await requireRecord(call.engine, call.caller, type, rule, "read");
        return okJson(await loadRunsAsJson(database, call.caller.account, { ...parseFilter(call), rule }));
      },
    },
    "GET /automation_rule_runs": {
      scope,
      async handle(call) {
        requireDesigner(call);
        return okJson(await loadRunsAsJson(database, call.caller.account, parseFilter(call)));
      },
    },
    "GET /automation_rule_statistics": {
      scope,
      async handle(call) {
        requireDesigner(call);
        return okJson(await countRunsAsJson(database, call.caller.account, clock.now()));
      },
    },
    "POST /automation_rule_check": {
      scope,
      async handle(call) {
        requireDesigner(call);
        const { members } = await call.body();
        const { program, problem } = checkRule(types, members);
        if (program === null) return ok({ problem, loops: [] });
        const [id, name, trigger] = [Number(members.id), String(members.name ?? ""), String(members.trigger ?? "")];
        const edited = { id, name, trigger, type: getRecordType(types, members as never), program };
        const loops = await findLoops(database, types, call.caller.account, edited);
        return ok({ problem: null, loops });
      },
    },
    "POST /automation_rule_completion": {
      scope,
      async handle(call) {
        requireDesigner(call);
        const { members } = await call.body();
        return ok(await completeRule(automation, call.caller, parseCompletion(members)));
      },
    },
    "POST /automation_rule_dry_run": {
      scope,
      async handle(call) {
        requireDesigner(call);
        const { members } = await call.body();
        const record = Number(members.record_id);
        if (!isRecordNumber(record)) throw new BadRequest("record_id is not valid");
        return ok(await runDry(automation, call.caller, members, record, extend));
      },
    },
  });
}

const isRecordNumber = (id: number): boolean => Number.isSafeInteger(id) && id >= 1 && id <= 2_147_483_647;

function parseFilter({ query }: Call): RunFilter {
  const get = (name: string) => query.find((each) => each.name === name)?.value;
  const filter: RunFilter = {};
  const [before, outcome, recordType, recordId, rule] = [
    "before",
    "outcome",
    "record_type",
    "record_id",
    "rule_id",
  ].map(get);
  if (before !== undefined && /^\d{1,15}$/.test(before)) filter.before = Number(before);
  if (outcome !== undefined) {
    const known = runOutcomes.find((each) => each === outcome);
    if (known === undefined) throw new BadRequest("outcome is not valid");
    filter.outcome = known;
  }
  if (rule !== undefined) {
    if (!isRecordNumber(Number(rule))) throw new BadRequest("rule_id is not valid");
    filter.rule = Number(rule);
  }
  if (recordId !== undefined) {
    if (!isRecordNumber(Number(recordId)) || recordType === undefined)
      throw new BadRequest("record_id is not valid, or record_type is missing");
    filter.record = { type: recordType, id: Number(recordId) };
  }
  return filter;
}

const parts = ["expressions", "condition", "actions"] as const;

function parseCompletion(members: Readonly<Record<string, unknown>>) {
  const { rule, part, line, column, record_id: record } = members;
  const known = parts.find((each) => each === part);
  if (known === undefined) throw new BadRequest("part is not valid");
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) throw new BadRequest("rule is not valid");
  const text = (rule as Record<string, unknown>)[known] ?? "";
  if (typeof text !== "string" || text.length > 65_536) throw new BadRequest(`rule.${known} is not valid`);
  if (!isRecordNumber(Number(line)) || !isRecordNumber(Number(column)))
    throw new BadRequest("line or column is not valid");
  if (record != null && !isRecordNumber(Number(record))) throw new BadRequest("record_id is not valid");
  const lines = text.split("\n");
  const start = lines.slice(0, Number(line) - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const at = Math.min(text.length, start + Math.min(Number(column) - 1, lines[Number(line) - 1]?.length ?? 0));
  return {
    ...{ rule: rule as Record<string, unknown>, part: known, at },
    record: record == null ? null : Number(record),
  };
}
