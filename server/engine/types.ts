import { enumerations } from "../../records/enumerations/index.ts";
import { grants } from "../../records/people/roles.ts";
import type { Condition, Field, RecordType } from "../../records/vocabulary/index.ts";
import { pickColumn } from "../storage/schema/derive.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";
import type { Rules } from "./rules.ts";

// A declaration made ready for use: what every request needs of it is worked out once, at start.

/** How a member of a body is meant: the field it writes and whether it is the plain name or one of the id forms. */
export type BodyMember = { name: string; field: Field };

export type Type = RecordType & {
  /** where rows are read, and where they are written */
  table: string;
  ownTable: string;
  /** the column that holds the account of a row */
  accountColumn: string;
  /** fields that answers can show, in the order of the declaration */
  outputFields: readonly string[];
  /** what an answer shows when nobody chose */
  detailFields: readonly string[];
  /** names ?fields= may use */
  selectable: ReadonlySet<string>;
  /** names a body may use */
  members: ReadonlyMap<string, BodyMember>;
  /** the hyphenated name scopes use */
  scopeName: string;
  columns: ReadonlyMap<string, string>;
  /** the fields with their names, and those with their columns but for the id: gone through with every record */
  fieldEntries: readonly (readonly [string, Field])[];
  storedColumns: readonly (readonly [string, string])[];
  /** fields that hold the code of another record, and its type */
  codeFields: readonly { name: string; target: Type }[];
  /** fields that say when something comes again */
  recurrenceFields: readonly string[];
  /** the owners of a type that follows the rights on them, and the columns that name them */
  owners: readonly Owner[];
};

export type Owner = { type: Type; column: string };

export class Types {
  readonly all: readonly Type[];
  private readonly byName: Map<string, Type>;

  constructor(register: readonly RecordType[], rules: Rules) {
    this.all = register.map((type) => prepareType(type, rules));
    this.byName = new Map(this.all.map((type) => [type.name, type]));
    for (const type of this.all) {
      type.codeFields = Object.entries(type.fields).flatMap(([name, field]) => {
        const target = field.kind === "code" ? this.byName.get(field.to) : undefined;
        return target === undefined ? [] : [{ name, target }];
      });
      type.owners = type.ownedBy.flatMap((name) => {
        const [owner, column] = [this.byName.get(name), type.columns.get(name)];
        return owner === undefined || column === undefined ? [] : [{ type: owner, column }];
      });
    }
    const problems = this.all.flatMap((type) => declarationProblems(type, this.byName, rules));
    for (const [role, list] of Object.entries(grants))
      for (const grant of list) {
        const type = this.byName.get(grant.on);
        if (grant.on !== "*" && grant.on !== "everything" && type === undefined)
          problems.push(`role ${role}: no record type "${grant.on}"`);
        if (type !== undefined && grant.where !== undefined)
          problems.push(...conditionProblems(type, grant.where, rules, `role ${role}`));
      }
    const names = new Set<string>();
    for (const type of this.all)
      for (const name of [`type ${type.name}`, `collection ${type.collection}`])
        names.has(name) ? problems.push(`${name} is declared twice`) : names.add(name);
    if (problems.length > 0) throw new Error(`The declarations in records/ do not agree:\n  ${problems.join("\n  ")}`);
  }

  /** A type by its name; the check at start made sure that every name used exists. */
  get(name: string): Type {
    const type = this.byName.get(name);
    if (type === undefined) throw new Error(`no record type "${name}"`);
    return type;
  }

  has = (name: string): boolean => this.byName.has(name);
}

export const singular = (name: string): string =>
  name.endsWith("ies")
    ? `${name.slice(0, -3)}y`
    : name === "people"
      ? "person"
      : /(ss|sh|ch|x)es$/.test(name)
        ? name.slice(0, -2)
        : name.endsWith("s")
          ? name.slice(0, -1)
          : name;

/** kinds that can be written as `<field>_id` */
const referringKinds: ReadonlySet<Field["kind"]> = new Set(["reference", "backReference", "code", "extension"]);

function prepareType(type: RecordType, rules: Rules): Type {
  const columns = new Map<string, string>();
  const members = new Map<string, BodyMember>();
  const shown: string[] = [];
  for (const [name, field] of Object.entries(type.fields)) {
    const column = pickColumn(name, field);
    if (column !== null) columns.set(name, column);
    if (field.access !== "writeonly" && !field.transient && !field.internal) shown.push(name);
    members.set(name, { name, field });
    if (field.alias !== undefined)
      for (const other of [field.alias, `${field.alias}_id`]) members.set(other, { name, field });
    if (referringKinds.has(field.kind)) members.set(`${name}_id`, { name, field });
    if (field.kind === "references" && !field.plain) members.set(`${singular(name)}_ids`, { name, field });
  }
  return {
    ...type,
    table: type.virtual ? `(${rules.forType(type.name).rows})` : buildRowSource(type, columns),
    ownTable: quoteIdentifier(type.collection),
    accountColumn: type.singleton ? "id" : "account_id",
    outputFields: shown,
    detailFields: shown.filter((name) => !type.fields[name]?.onlyIfSelected),
    selectable: new Set([...shown.filter((name) => type.fields[name]?.selectable !== false), "nodeID", "account"]),
    members,
    scopeName: type.name.replaceAll("_", "-"),
    columns,
    fieldEntries: Object.entries(type.fields),
    storedColumns: [...columns].filter(([name]) => name !== "id"),
    codeFields: [],
    recurrenceFields: Object.keys(type.fields).filter((name) => type.fields[name]?.kind === "recurrence"),
    owners: [],
  };
}

/** What joins two records is read twice, once as each of them sees it. */
function buildRowSource(
  { collection, bidirectional: bothEnds }: RecordType,
  columns: ReadonlyMap<string, string>,
): string {
  if (bothEnds === null) return quoteIdentifier(collection);
  const { here, there, turned } = bothEnds;
  const named = (name: string) => quoteIdentifier(columns.get(name) ?? name);
  const fromThere = (name: string): string => {
    if (name === here || name === there) return named(name === here ? there : here);
    const values = Object.entries(turned[name] ?? {}).map(([one, other]) => `WHEN '${one}' THEN '${other}'`);
    return values.length === 0 ? named(name) : `CASE ${named(name)} ${values.join(" ")} ELSE ${named(name)} END`;
  };
  const names = ["account_id", ...columns.keys()];
  const seen = (value: (name: string) => string) =>
    `SELECT ${names.map((name) => `${value(name)} AS ${named(name)}`).join(", ")} FROM ${quoteIdentifier(collection)}`;
  return `(${seen(named)} UNION ALL ${seen(fromThere)})`;
}

function declarationProblems(type: Type, types: Map<string, Type>, rules: Rules): string[] {
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${type.name}: ${text}`);
  const known = (name: string, use: string) =>
    types.has(name) || say(`${use} names the record type "${name}", which does not exist`);
  const isField = (name: string, use: string) =>
    name in type.fields || say(`${use} names the field "${name}", which does not exist`);

  for (const [name, field] of Object.entries(type.fields)) {
    if (field.kind === "reference" || field.kind === "references") known(field.to, `field ${name}`);
    problems.push(...fieldProblems(type, name, field, types));
    if (
      field.kind === "backReference" &&
      known(field.from, `field ${name}`) &&
      types.get(field.from)?.fields[field.field] === undefined
    )
      say(`field ${name} names ${field.from}.${field.field}, which does not exist`);
    if (
      field.kind === "aggregated" &&
      known(field.of, `field ${name}`) &&
      !types.get(field.of)?.ownedBy.includes(type.name)
    )
      say(`field ${name}: ${field.of} is not owned by ${type.name}`);
    if (field.kind === "attachmentsOf") isField(field.field, `field ${name}`);
    if (field.kind === "download") isField(field.of, `field ${name}`);
    if (field.kind === "enum" && field.values === undefined && !(field.enumeration in enumerations))
      say(`field ${name}: no enumeration "${field.enumeration}"`);
    if (
      field.derived !== undefined &&
      "rule" in field.derived &&
      rules.forType(type.name).derive?.[field.derived.rule] === undefined
    )
      say(`field ${name}: no rule "${field.derived.rule}" in server/rules`);
    if (field.default !== undefined && "of" in field.default) {
      const { of, field: inherited } = field.default;
      const reference = type.fields[of];
      if (reference?.kind !== "reference" || types.get(reference.to)?.fields[inherited] === undefined)
        say(`field ${name} takes its default from ${of}.${inherited}, which does not exist`);
    }
    if (field.computed !== undefined && rules.forType(type.name).compute?.[field.computed] === undefined)
      say(`field ${name}: no rule "${field.computed}" in server/rules`);
  }
  for (const name of type.defaultFields) isField(name, "defaultFields");
  for (const name of [...type.filterable, ...type.caseInsensitive]) isField(name, "filterable");
  for (const name of type.specialFilters)
    if (rules.forType(type.name).filters?.[name] === undefined) say(`filter ${name} is not in server/rules`);
  for (const name of [...type.sortable, type.sort.replace(/^-/, "")]) isField(name.replace(/_id$/, ""), "sortable");
  for (const fields of type.unique) for (const name of fields) isField(name, "unique");
  for (const name of type.searchable) {
    const field = type.fields[name];
    if (isField(name, "searchable") && (!type.columns.has(name) || field?.confidential !== undefined))
      say(`searchable names the field "${name}", which is not stored or not for everybody`);
  }
  for (const name of type.includeIfPresent) isField(name, "showsWhenSet");
  for (const name of type.omitFromListsIfBlank) isField(name, "listedWhenSet");
  isField(type.display, "display");
  for (const name of type.referenceFields) isField(name, "shows");
  if (hasCircularDisplay(type, types)) say("shows leads back to the type itself");
  if (
    type.sharesIdsWith !== null &&
    known(type.sharesIdsWith, "idsOf") &&
    types.get(type.sharesIdsWith)?.sharesIdsWith !== null
  )
    say(`idsOf names ${type.sharesIdsWith}, which has no ids of its own`);
  if (type.hasOwnCollection && type.ownedBy.length === 0) say("is listedByItself without being owned");
  for (const [view, condition] of Object.entries(type.views))
    problems.push(...conditionProblems(type, condition, rules, `view ${view}`));
  if (type.acrossAccounts !== null)
    problems.push(...conditionProblems(type, type.acrossAccounts, rules, "acrossAccounts"));
  for (const name of type.perAccount)
    if (!type.columns.has(name)) say(`perAccount names the field "${name}", which has no column`);
  if ((type.perAccount.length > 0 || type.viewers !== null) && !type.grows)
    say("is seen in several accounts, which only lists of growing types show");
  if (type.visible !== null) problems.push(...conditionProblems(type, type.visible, rules, "visible"));
  if (type.virtual && rules.forType(type.name).rows === undefined) say("its rows are not in server/rules");
  for (const [name, link] of Object.entries(type.links)) {
    known(link.to, `link ${name}`);
    const other = types.get(link.to)?.links["inverse" in link ? link.inverse : ""];
    if ("inverse" in link && (other === undefined || !("table" in other)))
      say(`link ${name} is the inverse of ${link.to}.${link.inverse}, which is no link`);
    if ("by" in link && types.get(link.to)?.fields[link.by]?.kind !== "reference")
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
  if (typeof type.deletable === "object") isField(type.deletable.marks, "deletable");
  if (type.archivable?.when !== undefined) isField(type.archivable.when.field, "archivable");
  if (type.archivable?.with !== undefined) isField(type.archivable.with, "archivable");
  for (const { unless } of Object.values(type.lists)) if (unless !== undefined) isField(unless.field, "lists");
  return problems;
}

/** What the words for reading say about other types must be there. */
function fieldProblems(type: Type, name: string, field: Field, types: Map<string, Type>): string[] {
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${type.name}: field ${name} ${text}`);
  if (field.kind === "code" && types.get(field.to)?.fields.reference === undefined)
    say(`names ${field.to}.reference, which does not exist`);
  if (field.kind === "reference" && field.or !== undefined && types.get(field.or)?.sharesIdsWith !== field.to)
    say(`names ${field.to} or ${field.or}, which do not share their ids`);
  if (field.kind === "extension")
    for (const needed of ["category", "disabled", "active_version"])
      if (types.get("ui_extension")?.fields[needed] === undefined)
        say(`needs ui_extension.${needed}, which does not exist`);
  if (field.kind === "recurrence" && !field.without.includes("calendar") && !types.has("calendar"))
    say('names the record type "calendar", which does not exist');
  if (field.fallsBackTo !== undefined) {
    if (type.fields[field.fallsBackTo] === undefined || type.fields[field.fallsBackTo]?.fallsBackTo !== undefined)
      say(`falls back to ${field.fallsBackTo}, which is no stored field`);
    if (field.access !== "readonly") say("falls back to another and so cannot be written");
    if (type.filterable.includes(name) || type.sortable.includes(name)) say("is not stored and so orders nothing");
  }
  return problems;
}

/** References show references; a circle of them would never end. */
function hasCircularDisplay(type: Type, types: Map<string, Type>, from: readonly Type[] = []): boolean {
  if (from.includes(type)) return type === from[0];
  return type.referenceFields.some((name) => {
    const field = type.fields[name];
    if (field?.kind !== "reference") return false;
    const targets = [field.to, ...(field.or === undefined ? [] : [field.or])];
    return targets.some((target) => {
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
    if (type.fields[name]?.kind === "code" && !isWord && test !== null && test !== "present")
      return [`${type.name}: ${use} compares the code "${name}", which is kept as an id`];
    if (isWord && test.word === "this record" && where !== "list")
      return [`${type.name}: ${use} names this record, which only a list below one has`];
    return [];
  });
}

function stateMachineProblems(type: Type, rules: Rules): string[] {
  const lifecycle = type.states;
  if (lifecycle === null) return [];
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${type.name}: the lifecycle ${text}`);
  const isState = (name: string) =>
    lifecycle.states.includes(name) || say(`names the state "${name}", which it does not have`);
  if (!(lifecycle.field in type.fields)) say(`is about the field "${lifecycle.field}", which does not exist`);
  isState(lifecycle.initial);
  for (const move of lifecycle.moves) {
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
