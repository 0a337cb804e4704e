import { automationTriggers } from "../../../../records/work/automation-triggers.ts";
import { findType } from "../../../base/record-types.ts";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";

/** Describes when a rule runs. */
export function describeTrigger(trigger: string): string {
  if (trigger === "on create") return t("ruleEditor.trigger.create");
  if (trigger === "on update") return t("ruleEditor.trigger.update");
  if (trigger === "on delete") return t("ruleEditor.trigger.delete");
  if (trigger === "on note added") return t("ruleEditor.trigger.note");
  if (trigger === "after delay") return t("ruleEditor.trigger.delay");
  const words = /^on (.*) update$/.exec(trigger)?.[1];
  if (words === undefined) return trigger;
  return t("ruleEditor.trigger.field", { field: fieldLabel(toField(words)) });
}

const toField = (words: string): string => (words === "sourceid" ? "sourceID" : words.replaceAll(" ", "_"));

/** The triggers that apply to records of a type. */
export function listTriggers(typeName: string | null): string[] {
  const type = typeName === null ? undefined : findType(typeName);
  return automationTriggers.filter((trigger) => {
    const words = /^on (.*) update$/.exec(trigger)?.[1];
    if (trigger === "on note added") return type === undefined || "note" in type.fields;
    if (words === undefined || type === undefined) return true;
    const name = toField(words);
    return name in type.fields || `${name}_at` in type.fields || name in type.links;
  });
}
