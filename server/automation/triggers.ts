import { automationTriggers } from "../../records/work/automation-triggers.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Type } from "../engine/types.ts";
import { sameValue } from "../engine/write/compare.ts";

// Finds the triggers that a save fires, in their order: TR1 to TR11.

type FieldTrigger = { trigger: string; name: string };
const fieldTriggersByType = new WeakMap<Type, readonly FieldTrigger[]>();

/** "on start update" watches start_at, "on users update" the linked users. */
export function listFieldTriggers(type: Type): readonly FieldTrigger[] {
  let list = fieldTriggersByType.get(type);
  if (list === undefined) {
    const names = [...Object.keys(type.fields), ...Object.keys(type.links)];
    list = automationTriggers.flatMap((trigger) => {
      const words = /^on (.*) update$/.exec(trigger)?.[1]?.replaceAll(" ", "_");
      const name =
        names.find((candidate) => candidate.toLowerCase() === words) ??
        names.find((candidate) => candidate === `${words}_at`);
      return words === undefined || name === undefined ? [] : [{ trigger, name }];
    });
    const rank = ({ trigger }: FieldTrigger) => (trigger === "on status update" ? "" : trigger);
    list = list.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
    fieldTriggersByType.set(type, list);
  }
  return list;
}

export function findTriggers(event: ChangeEvent): string[] {
  const { type, action, before, after, changes, extraEvents = [], isDerivedUpdate } = event;
  if (action === "destroy") return ["on delete"];
  const fired = action === "create" ? ["on create"] : [];
  for (const { trigger, name } of listFieldTriggers(type)) {
    const differs = name in changes || !sameValue(type.fields[name], before?.[name] ?? null, after?.[name] ?? null);
    if (differs) fired.push(trigger);
  }
  if (extraEvents.some(({ event }) => event === "note-added")) fired.push("on note added");
  if (action === "update" && Object.keys(changes).length > 0 && !isDerivedUpdate) fired.push("on update");
  return fired;
}
