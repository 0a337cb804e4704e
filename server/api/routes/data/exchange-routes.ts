import { Readable } from "node:stream";
import type { AnswerOf } from "../../../../records/answers/answer-of.ts";
import { exchangeOperations, type jobToken } from "../../../../records/answers/exchange.ts";
import { Invalid, NotFound } from "../../../base/errors.ts";
import type { Caller } from "../../../engine/caller.ts";
import { Refusal } from "../../../engine/kinds/kind.ts";
import { readDatetime } from "../../../engine/kinds/time.ts";
import { type Exchange, findRowFile } from "../../../exchange/exchange-context.ts";
import { findExportType, findImportType } from "../../../exchange/exchange-types.ts";
import { type ExportSubject, loadExportState, queueExport } from "../../../exchange/export/exports.ts";
import { parseMapping } from "../../../exchange/import/import-options.ts";
import { loadImportState, queueImport } from "../../../exchange/import/imports.ts";
import { MalformedUpload, readUpload, type Upload } from "../../../files/index.ts";
import { type ApiResponse, buildIgnoredFieldsHeader, type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";
import { requireAdministeredAccount } from "../administration/require-administered-account.ts";

// IE1 to IE19

type JobToken = AnswerOf<typeof jobToken>;

/** How long a status request waits for a job to finish, and how often it checks. */
const maxWaitMilliseconds = 3000;
const pollMilliseconds = 25;
const monthsBack = 2;

const exportParameters = ["type", "from", "export_format", "line_separator", "locale"];
const trueWords = new Set(["1", "true", "t", "yes", "y", "on"]);

export function exchangeRoutes(exchange: Exchange): Route[] {
  const handleState =
    <S extends { readonly state: string }>(
      load: (exchange: Exchange, by: Caller, token: string) => Promise<S | null>,
    ) =>
    async (call: Call) => {
      requireAdministeredAccount(call);
      return ok(await waitUntilFinished(() => load(exchange, call.caller, call.params.token ?? "")));
    };
  return serve(exchangeOperations, {
    "POST /import": {
      scope: { type: "import", action: "Create" },
      handle: (call) => handleImport(exchange, call),
    },
    "GET /import/:token": {
      scope: { type: "import", action: "Read" },
      handle: handleState(loadImportState),
    },
    "POST /export": {
      scope: { type: "export", action: "Create" },
      handle: (call) => handleExport(exchange, call),
    },
    "GET /export/:token": {
      scope: { type: "export", action: "Read" },
      handle: handleState(loadExportState),
    },
  });
}

/** Most jobs are short: waiting a little spares the client a second request. */
async function waitUntilFinished<S extends { readonly state: string }>(read: () => Promise<S | null>): Promise<S> {
  for (const end = Date.now() + maxWaitMilliseconds; ; await new Promise((go) => setTimeout(go, pollMilliseconds))) {
    const state = await read();
    if (state === null) throw new NotFound();
    if ((state.state !== "queued" && state.state !== "processing") || Date.now() > end) return state;
  }
}

async function handleImport(exchange: Exchange, call: Call): Promise<ApiResponse<JobToken>> {
  requireAdministeredAccount(call);
  const { fields, file } = await readUploadedFile(call);
  const parameter = (name: string) =>
    (fields.get(name) ?? call.query.find((given) => given.name === name)?.value ?? "").trim();
  const parseType = () => {
    const word = parameter("type");
    if (word === "") throw new Invalid([["type", "can't be blank"]]);
    if (findRowFile(exchange, word) === null && findImportType(exchange.engine.types, word) === null)
      throw new Invalid([["type", "is not included in the list"]]);
    const isTrue = (name: string) => trueWords.has(parameter(name).toLowerCase());
    const options = { suppressEvents: isTrue("suppress_events"), dryRun: isTrue("dry_run"), corrections: null };
    return { word, ...options, mapping: parseMapping(exchange.engine, word, parameter("mapping")) };
  };
  try {
    if (parameter("type") !== "") parseType(); // refuses a wrong type before reading the file
    return ok({ token: await queueImport(exchange, call.caller, file, parseType) });
  } catch (error) {
    file.stream.destroy();
    throw error;
  }
}

async function readUploadedFile(call: Call): Promise<Upload> {
  const body = call.request.body as Readable | Buffer | undefined;
  if (!(body instanceof Readable)) throw new Invalid([["file", "can't be blank"]]);
  try {
    return await readUpload(call.request.headers["content-type"], body, { anyOrder: true });
  } catch (error) {
    const hasNoFile = error instanceof MalformedUpload && error.message.includes("no part with a file");
    throw hasNoFile ? new Invalid([["file", "can't be blank"]]) : error;
  }
}

async function handleExport(exchange: Exchange, call: Call): Promise<ApiResponse<JobToken>> {
  requireAdministeredAccount(call);
  const { members, strict } = await call.body();
  const ignored = Object.keys(members).filter((name) => !exportParameters.includes(name));
  if (strict && ignored.length > 0) throw new Invalid(ignored.map((name) => [name, "is unknown"]));
  const text = (name: string) => {
    const value = members[name] ?? "";
    if (Array.isArray(value)) return value.join(",");
    if (typeof value !== "string") throw new Invalid([[name, "is not valid"]]);
    return value.trim();
  };
  const words = text("type")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.length === 0) throw new Invalid([["type", "can't be blank"]]);
  const subjects = [...new Set(words)].map(
    (word) => findRowFile(exchange, word) ?? findExportType(exchange.engine.types, word),
  );
  if (subjects.includes(null)) throw new Invalid([["type", "is not included in the list"]]);
  const token = await queueExport(exchange, call.caller, {
    subjects: subjects as ExportSubject[],
    format: parseChoice("export_format", text("export_format"), ["csv", "xlsx"] as const),
    lineSeparator: parseChoice("line_separator", text("line_separator"), ["lf", "crlf"] as const),
    since: parseSince(text("from"), call.caller),
  });
  const response = token === null ? noContent : ok({ token });
  return { ...response, headers: buildIgnoredFieldsHeader(ignored) };
}

/** The first word is the default. */
function parseChoice<const W extends string>(name: string, given: string, words: readonly W[]): W {
  const found = given === "" ? words[0] : words.find((word) => word === given.toLowerCase());
  if (found === undefined) throw new Invalid([[name, "is not included in the list"]]);
  return found;
}

/** Accepts 20310201 and 20310201T08:00:00, also with dashes, with or without an offset. */
function parseSince(given: string, by: Caller): Date | null {
  if (given === "") return null;
  const dashed = given.replace(/^(\d{4})(\d\d)(\d\d)(?!\d)/, "$1-$2-$3");
  try {
    const moment = new Date(readDatetime(/^\d{4}-\d\d-\d\d$/.test(dashed) ? `${dashed}T00:00:00` : dashed, by));
    const earliest = new Date(by.now);
    earliest.setUTCMonth(earliest.getUTCMonth() - monthsBack);
    earliest.setUTCDate(earliest.getUTCDate() - 1); // tolerates time zones and months of different length
    if (moment < earliest) throw new Refusal("is not valid");
    return moment;
  } catch (error) {
    if (error instanceof Refusal) throw new Invalid([["from", error.message, error.values]]);
    throw error;
  }
}
