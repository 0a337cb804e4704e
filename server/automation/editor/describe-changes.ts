import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ruleChange } from "../../../records/answers/automation.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Value as Stored } from "../../engine/kinds/kind.ts";
import { RecordEvaluationContext } from "../evaluation-context.ts";
import { Failure } from "../language/errors.ts";
import { Evaluation } from "../language/evaluation.ts";
import { toText } from "../language/operators.ts";
import { Reference } from "../language/values.ts";
import { truncate } from "../run-log.ts";
import { evaluateLoadingMissing } from "../run-rule.ts";
import { mayReadField, toLanguageValue } from "../stored-to-value.ts";

// Describes the changes of a dry run in words that its reader may see.

export type RecordChange = AnswerOf<typeof ruleChange>;

const maxChanges = 100;

export async function describeChanges(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  events: readonly ChangeEvent[],
): Promise<RecordChange[]> {
  const context = new RecordEvaluationContext({
    ...{ engine, tx, by, self: null, before: null, partly: false, saved: null, pseudo: {} },
    create: async () => null,
  });
  const run = new Evaluation(context, []);
  const describe = async (work: () => string): Promise<string> => {
    try {
      return truncate(await evaluateLoadingMissing(run, context, work));
    } catch (error) {
      if (error instanceof Failure) return "";
      throw error;
    }
  };
  const format = (field: Field | undefined, stored: Stored | undefined) =>
    field === undefined
      ? Promise.resolve(stored == null ? "" : truncate(typeof stored === "string" ? stored : JSON.stringify(stored)))
      : describe(() => toText(run, toLanguageValue(field, stored)));
  const changes: RecordChange[] = [];
  for (const { type, id, action, changes: values, after, before } of events.slice(0, maxChanges)) {
    const fields = [];
    for (const [key, [from, to]] of Object.entries(values)) {
      const name = key.replace(/_id$/, "");
      const field = type.fields[name] ?? type.fields[key];
      if (field?.internal === true || (field !== undefined && !mayReadField(field, by, after ?? before ?? {}, id)))
        continue;
      if (action === "create" && to == null) continue;
      fields.push({ field: name, before: await format(field, from), after: await format(field, to) });
    }
    if (fields.length === 0 && action === "update") continue;
    const name = await describe(() => context.display(new Reference(type.name, id)));
    changes.push({ record_type: type.name, record_id: id, name, action, fields });
  }
  return changes;
}
