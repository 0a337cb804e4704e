import { statement } from "../../storage/database.ts";
import { buildReferenceClause } from "../access.ts";
import type { Engine } from "../engine.ts";
import type { Recurrence } from "../kinds/recurrence.ts";
import { buildSharedRows, exceptViewers } from "../overlays.ts";
import type { Change } from "../rules.ts";
import { allOf } from "../sql/clauses.ts";
import type { Type } from "../types.ts";

/** A field and the ids it newly names, the types they may belong to, and how their faults are told. */
type ReferenceUse = {
  name: string;
  ids: readonly number[];
  targets: readonly string[];
  missing: string;
  disabled: string;
};

function collectReferenceUses(type: Type, { before, after, changed }: Change): ReferenceUse[] {
  const uses: ReferenceUse[] = [];
  const plain = { missing: "is not valid", disabled: "is not valid" };
  for (const name of changed) {
    const [field, value] = [type.fields[name], after[name]];
    if (field === undefined || value == null) continue;
    if (field.kind === "recurrence") {
      const [old, now] = [before?.[name], value].map((rule) => (rule as Recurrence | null | undefined)?.calendar_id);
      if (now != null && now !== old)
        uses.push({
          name,
          ids: [now],
          targets: ["calendar"],
          missing: "calendar is not valid",
          disabled: "calendar is disabled",
        });
    }
    if (field.kind !== "reference" && field.kind !== "references" && field.kind !== "code") continue;
    const known = new Set([before?.[name] ?? []].flat());
    const ids = [value].flat().filter((id) => !known.has(id)) as number[];
    if (ids.length === 0) continue;
    const targets = field.kind === "reference" && field.or !== undefined ? [field.to, field.or] : [field.to];
    uses.push({ name, ids, targets, ...plain, ...(field.kind === "code" ? { missing: notListed } : {}) });
  }
  return uses;
}

const notListed = "is not included in the list";

/** Every reference that changes must exist where the caller can see it, and be enabled. One statement per type. */
export async function checkReferences(engine: Engine, type: Type, change: Change): Promise<void> {
  const uses = collectReferenceUses(type, change);
  const found = new Map<string, Map<string, boolean>>();
  await Promise.all(
    [...new Set(uses.flatMap((use) => use.targets))].map(async (targetName) => {
      const target = engine.types.get(targetName);
      const visible = buildReferenceClause(target, change.by, engine.rules);
      const sight = buildSharedRows(target, change.by);
      const usable = sight === null ? visible : allOf([visible, exceptViewers]);
      const key = `${target.name}#references${sight?.key ?? ""}#${usable.key}`;
      const build = () => {
        let used = 1;
        const next = () => `$${++used}`;
        const seen = usable.sql("a", next);
        const from = sight?.all.sql(next) ?? target.table;
        const disabled = "disabled" in target.fields ? "a.disabled" : "false";
        const active = target.archivable === null ? "" : " AND a.life_cycle = 'active'";
        return `SELECT a.id, ${disabled} FROM ${from} a WHERE a.id = ANY($1::${target.singleton ? "text" : "integer"}[]) AND ${seen}${active}`;
      };
      const built = engine.statements.get(key, build, () => ({
        statement: statement(build()),
        groupKey: ([, ...rest]) => JSON.stringify(rest),
        mergeValues: (calls) => [
          [...new Set(calls.flatMap(([ids]) => ids as number[]))],
          ...(calls[0]?.slice(1) ?? []),
        ],
        distribute: (all, calls) => {
          const byId = new Map(all.map((row) => [row[0], row]));
          return calls.map(([ids]) =>
            (ids as number[]).map((id) => byId.get(String(id))).filter((row) => row !== undefined),
          );
        },
      }));
      const ids = uses.flatMap((use) => (use.targets.includes(targetName) ? use.ids : []));
      const rows = await change.tx.query(built, [ids, ...usable.values, ...(sight?.all.values ?? [])]);
      found.set(targetName, new Map(rows.map((row) => [String(row[0]), row[1] === "t"])));
    }),
  );
  for (const { name, ids, targets, missing, disabled } of uses) {
    const states = ids.map((id) =>
      targets.map((target) => found.get(target)?.get(String(id))).find((it) => it !== undefined),
    );
    if (states.includes(undefined)) change.problem(name, missing);
    else if (states.includes(true)) change.problem(name, disabled);
  }
}
