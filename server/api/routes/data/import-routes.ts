import type { AnswerOf } from "../../../../records/answers/answer-of.ts";
import type { jobToken } from "../../../../records/answers/exchange.ts";
import {
  exportEntry,
  type fileRow,
  importEntry,
  importOperations,
  rowStates,
} from "../../../../records/answers/imports.ts";
import type { Shape } from "../../../../records/vocabulary/index.ts";
import { BadRequest, Forbidden, Invalid, NotFound } from "../../../base/errors.ts";
import { isAdministrator } from "../../../engine/access.ts";
import type { Caller } from "../../../engine/caller.ts";
import { type Exchange, findRowFile } from "../../../exchange/exchange-context.ts";
import { listExports } from "../../../exchange/export/describe-exports.ts";
import { describeImport, listImports, stopImport } from "../../../exchange/import/describe-imports.ts";
import { parseCorrections, parseMapping } from "../../../exchange/import/import-options.ts";
import { loadRows } from "../../../exchange/import/import-rows.ts";
import { describeImportType, listImportTypeNames } from "../../../exchange/import/import-types.ts";
import { type ImportJob, loadImport, queueAgain } from "../../../exchange/import/imports.ts";
import { markKnownNames } from "../../../exchange/import/resolve-names.ts";
import { requestUndo } from "../../../exchange/import/undo-import.ts";
import { respondWithEntries } from "../../http/entry-fields.ts";
import { parseListQuery } from "../../http/parameters.ts";
import { type ApiResponse, accepted, type Call, ok, type Route } from "../../http/route.ts";
import { listMembers } from "../../openapi/declared-operation.ts";
import { serve } from "../../operations/serve.ts";

// IE20 to IE23: what pages need beside the calls of exchange-routes.ts.

const maxRows = 500;
const againMembers = ["dry_run", "suppress_events", "mapping", "corrections"];

export function importRoutes(exchange: Exchange): Route[] {
  const scope = (action: "Create" | "Read" | "Delete") => ({ type: "import", action });
  const find = (call: Call): Promise<ImportJob> => {
    requireAdministrator(call.caller);
    return loadImport(exchange, call.caller, call.params.token ?? "");
  };
  const describe = (call: Call, job: ImportJob) => describeImport(exchange, call.caller, job);
  return serve(importOperations, {
    "GET /import": {
      scope: scope("Read"),
      handle: (call) => handleList(call, (query) => listImports(exchange, call.caller, query), importEntry),
    },
    "GET /import/:token/summary": {
      scope: scope("Read"),
      handle: async (call) => ok(await describe(call, await find(call))),
    },
    "GET /import/:token/rows": {
      scope: scope("Read"),
      handle: async (call) => handleRows(exchange, call, await find(call)),
    },
    "POST /import/:token/again": {
      scope: scope("Create"),
      handle: async (call) => handleAgain(exchange, call, await find(call)),
    },
    "DELETE /import/:token": {
      scope: scope("Delete"),
      async handle(call) {
        const job = await find(call);
        await stopImport(exchange, job);
        return ok(await describe(call, job));
      },
    },
    "POST /import/:token/undo": {
      scope: scope("Create"),
      async handle(call) {
        const job = await find(call);
        await requestUndo(exchange, call.caller, job);
        return accepted(await describe(call, job));
      },
    },
    "GET /import_types": {
      scope: scope("Read"),
      async handle({ caller }) {
        requireAdministrator(caller);
        return ok(listImportTypeNames(exchange).map((type) => ({ type })));
      },
    },
    "GET /import_types/:type": {
      scope: scope("Read"),
      async handle({ caller, params }) {
        requireAdministrator(caller);
        const described = describeImportType(exchange, params.type ?? "");
        if (described === null) throw new NotFound();
        return ok(described);
      },
    },
    "GET /export": {
      scope: { type: "export", action: "Read" },
      handle: (call) => handleList(call, (query) => listExports(exchange, call.caller, query), exportEntry),
    },
  });
}

function requireAdministrator(by: Caller): void {
  if (!isAdministrator(by, by.account)) throw new Forbidden();
}

async function handleList(
  call: Call,
  load: (query: ReturnType<typeof parseListQuery>) => ReturnType<typeof listImports>,
  entry: Shape,
): Promise<ApiResponse<never>> {
  requireAdministrator(call.caller);
  const query = parseListQuery(call.query, null);
  return respondWithEntries(call, query, await load(query), { properties: listMembers(entry) });
}

async function handleRows(
  exchange: Exchange,
  call: Call,
  job: ImportJob,
): Promise<ApiResponse<readonly AnswerOf<typeof fileRow>[]>> {
  const read = (name: string) => call.query.find((parameter) => parameter.name === name)?.value;
  const given = read("state") ?? "refused";
  const state = rowStates.find((each) => each === given);
  if (state === undefined) throw new BadRequest(`Invalid value for parameter 'state': ${given.slice(0, 100)}`);
  const parseNumber = (name: string, standard: number, most: number): number => {
    const text = read(name) ?? String(standard);
    if (!/^\d{1,9}$/.test(text) || Number(text) > most) throw new BadRequest(`Invalid value for parameter '${name}'`);
    return Number(text);
  };
  const after = parseNumber("after_line", 0, 999_999_999);
  const limit = Math.max(1, parseNumber("per_page", 100, maxRows));
  const rows = await loadRows(exchange.engine, { id: Number(job.id), state, after, limit });
  return ok(job.dry_run === "t" ? await markKnownNames(exchange, call.caller, job, rows) : rows);
}

async function handleAgain(
  exchange: Exchange,
  call: Call,
  job: ImportJob,
): Promise<ApiResponse<AnswerOf<typeof jobToken>>> {
  const { members } = await call.body();
  const unknown = Object.keys(members).filter((name) => !againMembers.includes(name));
  if (unknown.length > 0) throw new Invalid(unknown.map((name) => [name, "is unknown"]));
  if (job.dry_run !== "t") throw new Invalid([["base", "is no check: its file is not kept"]]);
  const token = await queueAgain(exchange, call.caller, job, {
    dryRun: members.dry_run === true || members.dry_run === "true",
    suppressEvents: members.suppress_events === true || members.suppress_events === "true",
    mapping: findRowFile(exchange, job.type) === null ? parseMapping(exchange.engine, job.type, members.mapping) : null,
    corrections: parseCorrections(members.corrections),
  });
  return accepted({ token });
}
