import { grants } from "../../../records/people/roles.ts";
import type { Condition, Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../kinds/index.ts";
import { isReference } from "../kinds/reference.ts";
import type { Rules } from "../rules.ts";
import type { Type } from "./type.ts";

// Problems that the compiler does not find: names of other types and their fields, of rules, and of states.

/** All problems of the declarations, as sentences. */
export function findDeclarationProblems(types: readonly Type[], rules: Rules): string[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  const problems = types.flatMap((type) => declarationProblems(type, byName, rules));
  for (const [role, list] of Object.entries(grants))
    for (const grant of list) {
      const type = byName.get(grant.on);
      if (grant.on !== "*" && grant.on !== "everything" && type === undefined)
        problems.push(`role ${role}: no record type "${grant.on}"`);
      if (type !== undefined && grant.where !== undefined)
        problems.push(...conditionProblems(type, grant.where, rules, `role ${role}`));
    }
  const names = new Set<string>();
  for (const type of types)
    for (const name of [`type ${type.name}`, `collection ${type.collection}`])
      names.has(name) ? problems.push(`${name} is declared twice`) : names.add(name);
  return problems;
}

const isCode = (field: Field | undefined): boolean => field !== undefined && getKind(field).isCode === true;

function declarationProblems(type: Type, types: ReadonlyMap<string, Type>, rules: Rules): string[] {
  const problems: string[] = [];
  const say = (text: string): void => void problems.push(`${type.name}: ${text}`);
  const known = (name: string, use: string): boolean => {
    if (!types.has(name)) say(`${use} names the record type "${name}", which does not exist`);
    return types.has(name);
  };
  const isField = (name: string, use: string): boolean => {
    if (!(name in type.fields)) say(`${use} names the field "${name}", which does not exist`);
    return name in type.fields;
  };

  for (const [name, field] of Object.entries(type.fields)) {
    getKind(field).check?.({
      type,
      field,
      types,
      report: (problem) => say(`field ${name} ${problem}`),
      requireType: (typeName) => known(typeName, `field ${name}`),
      requireField: (fieldName) => isField(fieldName, `field ${name}`),
    });
    problems.push(...fallbackProblems(type, name, field));
    const start = field.endOf?.start;
    if (start !== undefined && isField(start, `field ${name}`) && type.fields[start]?.kind !== field.kind)
      say(`field ${name} ends a period that begins with ${start}, which is of another kind`);
    if (
      field.derived !== undefined &&
      "rule" in field.derived &&
      rules.forType(type.name).derive?.[field.derived.rule] === undefined
    )
      say(`field ${name}: no rule "${field.derived.rule}" in server/rules`);
    if (field.default !== undefined && "of" in field.default) {
      const { of, field: inherited } = field.default;
      const reference = type.fields[of];
      if (!isReference(reference) || types.get(reference.to)?.fields[inherited] === undefined)
        say(`field ${name} takes its default from ${of}.${inherited}, which does not exist`);
    }
    if (field.computed !== undefined && rules.forType(type.name).compute?.[field.computed] === undefined)
      say(`field ${name}: no rule "${field.computed}" in server/rules`);
  }
  for (const name of type.defaultFields) isField(name, "defaultFields");
  for (const name of [...type.filterable, ...type.caseInsensitive]) isField(name, "filterable");
  for (const name of type.routes.specialFilters)
    if (rules.forType(type.name).filters?.[name] === undefined) say(`filter ${name} is not in server/rules`);
  for (const [share, { among, are }] of Object.entries(type.routes.shares))
    for (const name of [...Object.keys(among), ...Object.keys(are)])
      if (!type.filterable.includes(name) && !type.routes.specialFilters.includes(name))
        say(`share ${share} names the filter "${name}", which does not exist`);
  for (const name of [...type.sortable, type.sort.replace(/^-/, "")]) isField(name.replace(/_id$/, ""), "sortable");
  for (const fields of type.unique) for (const name of fields) isField(name, "unique");
  for (const name of type.searchable) {
    const field = type.fields[name];
    if (isField(name, "searchable") && (!type.columns.has(name) || field?.confidential !== undefined))
      say(`searchable names the field "${name}", which is not stored or not for everybody`);
  }
  for (const name of type.serialize.includeIfPresent) isField(name, "showsWhenSet");
  for (const name of type.serialize.omitFromListsIfBlank) isField(name, "listedWhenSet");
  isField(type.display, "display");
  for (const name of type.serialize.referenceFields) isField(name, "shows");
  if (hasCircularDisplay(type, types)) say("shows leads back to the type itself");
  if (
    type.storage.sharesIdsWith !== null &&
    known(type.storage.sharesIdsWith, "idsOf") &&
    types.get(type.storage.sharesIdsWith)?.storage.sharesIdsWith !== null
  )
    say(`idsOf names ${type.storage.sharesIdsWith}, which has no ids of its own`);
  if (type.routes.hasOwnCollection && type.ownedBy.length === 0) say("is listedByItself without being owned");
  for (const [view, condition] of Object.entries(type.views))
    problems.push(...conditionProblems(type, condition, rules, `view ${view}`));
  if (type.sharing.acrossAccounts !== null)
    problems.push(...conditionProblems(type, type.sharing.acrossAccounts, rules, "acrossAccounts"));
  for (const name of type.sharing.perAccount)
    if (!type.columns.has(name)) say(`perAccount names the field "${name}", which has no column`);
  if ((type.sharing.perAccount.length > 0 || type.sharing.viewers !== null) && !type.storage.grows)
    say("is seen in several accounts, which only lists of growing types show");
  if (type.access.visible !== null) problems.push(...conditionProblems(type, type.access.visible, rules, "visible"));
  if (type.storage.virtual && rules.forType(type.name).rows === undefined) say("its rows are not in server/rules");
  for (const [name, link] of Object.entries(type.links)) {
    known(link.to, `link ${name}`);
    const other = types.get(link.to)?.links["inverse" in link ? link.inverse : ""];
    if ("inverse" in link && (other === undefined || !("table" in other)))
      say(`link ${name} is the inverse of ${link.to}.${link.inverse}, which is no link`);
    if ("by" in link && !isReference(types.get(link.to)?.fields[link.by]))
      say(`link ${name}: ${link.to} has no reference ${link.by}`);
    if (link.when !== undefined) isField(link.when.field, `link ${name}`);
  }
  for (const [name, child] of Object.entries(type.children)) {
    if (known(child.of, `children ${name}`) && types.get(child.of)?.fields[child.by ?? type.name] === undefined)
      say(`children ${name}: ${child.of} has no field ${child.by ?? type.name}`);
  }
  for (const [name, list] of Object.entries(type.lists))
    if (known(list.of, `list ${name}`) && "by" in list && types.get(list.of)?.fields[list.by] === undefined)
      say(`list ${name}: ${list.of} has no field ${list.by}`);
    else if ("where" in list && types.has(list.of))
      problems.push(
        ...conditionProblems(types.get(list.of) as Type, list.where, rules, `list ${name} of ${type.name}`, "list"),
      );
  for (const parent of type.ownedBy) known(parent, "ownedBy");
  for (const place of type.createdUnder) {
    known(place.parent, "createdUnder");
    isField(place.field, "createdUnder");
  }
  for (const event of type.events) if (!/^[a-z]+(-[a-z]+)*$/.test(event)) say(`"${event}" is not the name of an event`);
  if (type.states !== null) problems.push(...stateMachineProblems(type, rules));
  if (typeof type.deletion.deletable === "object") isField(type.deletion.deletable.marks, "deletable");
  if (type.deletion.archivable?.when !== undefined) isField(type.deletion.archivable.when.field, "archivable");
  if (type.deletion.archivable?.with !== undefined) isField(type.deletion.archivable.with, "archivable");
  const { expires, anonymous } = type.deletion;
  if (expires !== null) isField(expires.since, "expires");
  if (expires?.when !== undefined) isField(expires.when.field, "expires");
  for (const name of Object.keys(anonymous ?? {})) isField(name, "anonymous");
  for (const { unless } of Object.values(type.lists)) if (unless !== undefined) isField(unless.field, "lists");
  return problems;
}

/** A field that falls back to another is not stored. */
function fallbackProblems(type: Type, name: string, field: Field): string[] {
  if (field.fallsBackTo === undefined) return [];
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${type.name}: field ${name} ${text}`);
  const source = type.fields[field.fallsBackTo];
  if (source === undefined || source.fallsBackTo !== undefined)
    say(`falls back to ${field.fallsBackTo}, which is no stored field`);
  if (field.access !== "readonly") say("falls back to another and so cannot be written");
  if (type.filterable.includes(name) || type.sortable.includes(name)) say("is not stored and so orders nothing");
  return problems;
}

/** References show fields of their targets, which may be references: a cycle would never end. */
function hasCircularDisplay(type: Type, types: ReadonlyMap<string, Type>, from: readonly Type[] = []): boolean {
  if (from.includes(type)) return type === from[0];
  return type.serialize.referenceFields.some((name) => {
    const field = type.fields[name];
    if (!isReference(field)) return false;
    return [field.to, field.or ?? field.to].some((target) => {
      const next = types.get(target);
      return next !== undefined && hasCircularDisplay(next, types, [...from, type]);
    });
  });
}

function conditionProblems(
  type: Type,
  condition: Condition,
  rules: Rules,
  use: string,
  where: "list" | "elsewhere" = "elsewhere",
): string[] {
  if ("any" in condition) return condition.any.flatMap((part) => conditionProblems(type, part, rules, use, where));
  if ("rule" in condition)
    return rules.forType(type.name).conditions?.[condition.rule] === undefined
      ? [`${type.name}: ${use} names the rule "${condition.rule}", which server/rules does not have`]
      : [];
  return Object.entries(condition.fields).flatMap(([name, test]) => {
    if (name !== "account" && !(name in type.fields))
      return [`${type.name}: ${use} names the field "${name}", which does not exist`];
    if (name !== "account" && !type.columns.has(name))
      return [`${type.name}: ${use} names the field "${name}", which has no column to ask`];
    const isWord = typeof test === "object" && test !== null && "word" in test;
    if (isCode(type.fields[name]) && !isWord && test !== null && test !== "present")
      return [`${type.name}: ${use} compares the code "${name}", which is kept as an id`];
    if (isWord && test.word === "this record" && where !== "list")
      return [`${type.name}: ${use} names this record, which only a list below one has`];
    return [];
  });
}

function stateMachineProblems(type: Type, rules: Rules): string[] {
  const states = type.states;
  if (states === null) return [];
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${type.name}: the lifecycle ${text}`);
  const isState = (name: string) =>
    states.states.includes(name) || say(`names the state "${name}", which it does not have`);
  if (!(states.field in type.fields)) say(`is about the field "${states.field}", which does not exist`);
  isState(states.initial);
  for (const move of states.moves) {
    for (const state of move.from === "any" ? [] : [move.from].flat()) isState(state);
    if (move.to !== undefined) isState(move.to);
    if (move.on.on === "saved") move.on.states.forEach(isState);
    if (move.on.on === "time" && !(move.on.field in type.fields))
      say(`waits for the field "${move.on.field}", which does not exist`);
    if (move.if !== undefined && rules.forType(type.name).guards?.[move.if] === undefined)
      say(`asks "${move.if}", which server/rules does not answer`);
    for (const effect of move.do ?? []) {
      if (typeof effect === "string")
        rules.forType(type.name).effects?.[effect] ?? say(`wants "${effect}", which server/rules does not do`);
      else {
        const name =
          "stamp" in effect
            ? effect.stamp
            : "clear" in effect
              ? effect.clear
              : "increment" in effect
                ? effect.increment
                : effect.set;
        if (!(name in type.fields)) say(`changes the field "${name}", which does not exist`);
      }
    }
  }
  return problems;
}
