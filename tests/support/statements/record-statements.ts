import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject } from "vitest";
import { ReadLanes } from "../../../server/database/lanes/read-lanes.ts";
import { StatementSender } from "../../../server/postgres/text-query.ts";
import { buildShape } from "./build-shape.ts";

// Collects every distinct statement that this worker's servers send, to be checked at the end of the run (judge-run.ts).
// Servers in separate processes run the same code and aren't recorded.

export type RecordedStatement = {
  text: string;
  /** the calling functions in the server, the innermost first */
  origin: string;
  /** the test file */
  test: string;
};

const knownShapes = new Set<string>();
const knownTexts = new Set<string>();
let unwritten: RecordedStatement[] = [];

const isJudged = (text: string): boolean =>
  /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|DECLARE|MERGE)\b/i.test(text) && /\b(?:FROM|INTO|UPDATE)\b/i.test(text);

function recordText(text: string): void {
  if (knownTexts.has(text)) return;
  knownTexts.add(text);
  if (!isJudged(text)) return;
  const shape = buildShape(text);
  if (knownShapes.has(shape)) return;
  knownShapes.add(shape);
  unwritten.push({ text, origin: findOrigin(), test: expect.getState().testPath ?? "" });
}

/** The calling places in the server, without the layers that send and trace. Mapping them to source lines would take milliseconds. */
function findOrigin(): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error("statement").stack as unknown as NodeJS.CallSite[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  const places: string[] = [];
  for (const site of sites) {
    const [, file] =
      /\/((?:server\/(?!(?:postgres|schema|database|embedded|files|base)\/)|demo\/)[^?]+)/.exec(
        site.getFileName() ?? "",
      ) ?? [];
    if (file !== undefined) places.push(`${file} ${site.getFunctionName() ?? ""}`.trimEnd());
    if (places.length === 3) break;
  }
  return places.join(" < ");
}

const isPatched = Symbol.for("steward.statements");

/**
 * Several files share a worker and its modules, so the first one starts recording. A queued read is sent when another one
 * ends, so its origin is captured when it is queued.
 */
export function recordStatements(): void {
  const sender = StatementSender.prototype as StatementSender & { [isPatched]?: true };
  if (sender[isPatched] === undefined) {
    const { send } = sender;
    const { readMany } = ReadLanes.prototype;
    sender[isPatched] = true;
    sender.send = function (statement, ...rest) {
      recordText(statement.text);
      return send.call(this, statement, ...rest);
    };
    ReadLanes.prototype.readMany = function (statement, ...rest) {
      recordText(statement.text);
      return readMany.call(this, statement, ...rest);
    };
  }
  afterAll(() => {
    if (unwritten.length === 0) return;
    const lines = unwritten.map((one) => `${JSON.stringify(one)}\n`).join("");
    unwritten = [];
    appendFileSync(join(inject("statementsFolder"), `${process.pid}.jsonl`), lines);
  });
}
