import { automationLinks } from "../../records/work/automation-rule.ts";
import type { Engine } from "../engine/engine.ts";
import type { Values } from "../engine/rules.ts";
import { compileProgram, type Program, type RuleTexts } from "./language/program.ts";
import type { Schema } from "./language/schema.ts";
import { buildSchema } from "./rule-schema.ts";

// Caches compiled programs by their texts: rules that were copied from one template share one program.

const maxPrograms = 5000;
const programs = new WeakMap<Engine["types"], { schema: Schema; compiled: Map<string, Program> }>();

function getCache(types: Engine["types"]): { schema: Schema; compiled: Map<string, Program> } {
  let cache = programs.get(types);
  if (cache === undefined) {
    cache = { schema: buildSchema(types), compiled: new Map() };
    programs.set(types, cache);
  }
  return cache;
}

export const getSchema = (types: Engine["types"]): Schema => getCache(types).schema;

export function getProgram(types: Engine["types"], texts: RuleTexts, record: string | null): Program {
  const { schema, compiled } = getCache(types);
  const key = JSON.stringify([record, texts.expressions, texts.condition, texts.actions]);
  let program = compiled.get(key);
  if (program === undefined) {
    program = compileProgram(texts, schema, record);
    if (compiled.size >= maxPrograms) compiled.clear();
    compiled.set(key, program);
  }
  return program;
}

const typeByTemplate: Record<string, string> = {
  request_template: "request",
  task_template: "task",
  workflow_template: "workflow",
  project_task_template: "project_task",
  project_template: "project",
};

/** The link that decides the record type of a rule: a task template comes before the workflow template around it. */
export function pickMainLink(rule: Values): string | null {
  const used = automationLinks.filter((name) => rule[name] != null);
  return used.find((name) => name.endsWith("task_template")) ?? used[0] ?? null;
}

/** The type of the records that a rule runs for; null: it has no link. */
export function getRecordType(types: Engine["types"], rule: Values): string | null {
  const link = pickMainLink(rule);
  if (link === null) return null;
  const type = link === "generic" ? String(rule.generic) : (typeByTemplate[link] ?? link);
  return types.all.some(({ name }) => name === type) ? type : null;
}
