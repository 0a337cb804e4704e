import { automationTriggers } from "../../records/work/automation-triggers.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Type } from "../engine/types.ts";
import { sameValue } from "../engine/write/compare.ts";

// Which triggers a save meets, in their order: TR1 to TR11.

type FieldTrigger = { trigger: string; name: string };
const fieldTriggersByType = new WeakMap<Type, readonly FieldTrigger[]>();

/** "on start update" is about start_at, "on users update" about the users that are linked. */
function getFieldTriggers(type: Type): readonly FieldTrigger[] {
  let list = fieldTriggersByType.get(type);
  if (list === undefined) {
    const names = [...Object.keys(type.fields), ...Object.keys(type.links)];
    list = automationTriggers.flatMap((trigger) => {
      const words = /^on (.*) update$/.exec(trigger)?.[1]?.replaceAll(" ", "_");
      const name = names.find((one) => one.toLowerCase() === words) ?? names.find((one) => one === `${words}_at`);
      return words === undefined || name === undefined ? [] : [{ trigger, name }];
    });
    const rank = ({ trigger }: FieldTrigger) => (trigger === "on status update" ? "" : trigger);
    list = list.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
    fieldTriggersByType.set(type, list);
  }
  return list;
}

export function findTriggers({
  type,
  action,
  before,
  after,
  changes,
  extraEvents: happened = [],
  isDerivedUpdate: quiet,
}: ChangeEvent): string[] {
  if (action === "destroy") return ["on delete"];
  const met = action === "create" ? ["on create"] : [];
  for (const { trigger, name } of getFieldTriggers(type)) {
    const differs = name in changes || !sameValue(type.fields[name], before?.[name] ?? null, after?.[name] ?? null);
    if (differs) met.push(trigger);
  }
  if (happened.some(({ event }) => event === "note-added")) met.push("on note added");
  if (action === "update" && Object.keys(changes).length > 0 && !quiet) met.push("on update");
  return met;
}
