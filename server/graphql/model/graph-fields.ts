import type { Field } from "../../../records/vocabulary/index.ts";
import { automationLinks } from "../../../records/work/automation-rule.ts";
import type { GraphForm } from "../../engine/kinds/graph-form.ts";
import { getGraphForm } from "../../engine/kinds/index.ts";
import type { Type, Types } from "../../engine/types.ts";
import { isMadeConnection, type MadeField, pickMadeFields } from "./made-fields.ts";
import { numberedTypes, pickMemberName, pickRecordName, toMemberName } from "./names.ts";

// The GraphQL fields of a record type, as data: the schema, the resolvers and the checks of a document read it.

/** A list below a record: how the declaration names it. */
export type Below = { by: "link" | "child" | "list" | "references" | "pointer"; name: string };

export type GraphField = { name: string; description: string } & (
  | { is: "id" }
  | { is: "number" }
  | { is: "account" }
  | { is: "life cycle" }
  | { is: "value"; member: string; form: GraphForm }
  | { is: "reference"; member: string; targets: readonly string[] }
  /** the one of several references that is set */
  | { is: "owner"; members: readonly string[]; of: string }
  /** the record that a field with a type and one with an id name */
  | { is: "subject"; member: string; of: string }
  | { is: "connection"; target: string; below: Below }
  /** made of members that REST shows in another form */
  | { is: "made"; made: MadeField }
  /** files; `field`: those that this field uses, null: all of the record */
  | { is: "files"; field: string | null }
);

/** Types that have no object type of their own: their records appear as something else, or are for administrators alone. */
const hiddenTypes = new Set(["note_attachment", "scim_user", "scim_group"]);
export const isInGraph = (type: Type): boolean => !hiddenTypes.has(type.name);

/** Members that the graph leaves out: computed HTML, and what other members say already. */
const isLeftOut = (name: string): boolean =>
  name.endsWith("_html") || ["view_audit_path", "note_nodeID"].includes(name);

/** References of which one is set become one field (D-330). */
const owners: Record<string, { name: string; of: string; members: readonly string[] }> = {
  note: {
    name: "record",
    of: "HasNotes",
    members: ["request", "problem", "release", "workflow", "task", "project", "project_task", "risk"],
  },
  time_entry: { name: "assignment", of: "HasTimeEntries", members: ["request", "problem", "task", "project_task"] },
  sprint_backlog_item: {
    name: "record",
    of: "HasSprintBacklogItems",
    members: ["request", "problem", "task", "project_task"],
  },
  automation_rule: {
    name: "owner",
    of: "HasAutomationRules",
    members: automationLinks.filter((name) => name !== "generic"),
  },
};

/** The names of the references that one field of the graph replaces, where the type has them. */
export function pickOwner(type: Type): { name: string; of: string; members: readonly string[] } | null {
  const declared = owners[type.name];
  if (declared === undefined) return null;
  const members = declared.members.filter((member) => type.outputFields.includes(member));
  return members.length === 0 ? null : { ...declared, members };
}

/** `archived` and `trashed` hold the name of a type, `record` the record. */
const subjectNames: Record<string, string> = { archive_entry: "archived", trash_entry: "trashed" };

const describe = (type: Type, name: string): string => {
  const note = type.fields[name]?.note;
  const label = name.replaceAll("_", " ");
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}${note === undefined ? "" : `: ${note}`}.`;
};

/** Everything that a record of the type shows, in alphabetical order. */
export function listGraphFields(type: Type, types: Types): GraphField[] {
  const fields = new Map<string, GraphField>();
  const add = (field: GraphField) => {
    if (!fields.has(field.name)) fields.set(field.name, field);
  };
  add({
    is: "id",
    name: "id",
    description: type.routes.singleton ? "The id of the account." : "The nodeID of the record.",
  });
  if (numberedTypes.has(type.name))
    add({
      is: "number",
      name: `${pickRecordName(type.name)}Id`,
      description: "The number of the record, as people see it.",
    });
  if (!type.routes.singleton && type.fields.account === undefined)
    add({ is: "account", name: "account", description: "The account that the record belongs to." });
  if (type.deletion.archivable !== null)
    add({
      is: "life cycle",
      name: "lifeCycleState",
      description: "Whether the record is active, archived or trashed.",
    });
  for (const [name, made] of pickMadeFields(type))
    add({ is: "made", name, made, description: `Made of ${made.members.join(", ") || name}.` });
  const owner = pickOwner(type);
  if (owner !== null) add({ is: "owner", description: "The record that this one belongs to.", ...owner });
  const subject = subjectNames[type.name];
  for (const name of type.outputFields) {
    // Transient fields, which act on a save and are not stored, are inputs only; links are connections.
    if (type.fields[name]?.transient) continue;
    if (name === "id" || isLeftOut(name) || owner?.members.includes(name) || name === subject) continue;
    const described = describeField(type, name);
    if (described !== null) add(described);
  }
  for (const below of listBelow(type))
    if (isInGraph(types.get(below.target)))
      add({
        is: "connection",
        name: pickMemberName(type.name, below.below.name),
        description: describe(type, below.below.name),
        ...below,
      });
  for (const [name, field] of type.fieldEntries) {
    const form = getGraphForm(field);
    if (form.is !== "files" || field.access === "readonly") continue;
    if (form.field === null)
      add({ is: "files", name: "textAttachments", field: null, description: "Files of the text." });
    else if (!type.fields[form.field]?.transient)
      add({ is: "files", name: toMemberName(name), field: form.field, description: `Files of ${form.field}.` });
  }
  return [...fields.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listBelow(type: Type): { target: string; below: Below }[] {
  return [
    ...Object.entries(type.links).map(([name, { to }]) => ({ target: to, below: { by: "link" as const, name } })),
    ...Object.entries(type.children).map(([name, { of }]) => ({ target: of, below: { by: "child" as const, name } })),
    ...Object.entries(type.lists).map(([name, { of }]) => ({ target: of, below: { by: "list" as const, name } })),
    ...Object.entries(pointedLists[type.name] ?? {}).map(([name, { of }]) => ({
      target: of,
      below: { by: "pointer" as const, name },
    })),
  ];
}

/** Records that refer to one of the type, which REST does not list below it. */
const pointedLists: Record<string, Record<string, { of: string; by: string }>> = {
  product_backlog: { scrum_workspaces: { of: "scrum_workspace", by: "product_backlog" } },
  product_category: { products: { of: "product", by: "category" } },
  scrum_workspace: { sprints: { of: "sprint", by: "scrum_workspace" } },
};

export function getPointedList(type: Type, name: string): { of: string; by: string } {
  const list = pointedLists[type.name]?.[name];
  if (list === undefined) throw new Error(`${type.name} has no list "${name}"`);
  return list;
}

function describeField(type: Type, name: string): GraphField | null {
  const form = getGraphForm(type.fields[name] as Field);
  const head = { name: pickMemberName(type.name, name), description: describe(type, name) };
  switch (form.is) {
    case "files":
      return null;
    case "subject":
      return {
        ...head,
        is: "subject",
        name: subjectNames[type.name] ?? head.name,
        member: form.type,
        of: type.name in subjectNames ? "HasLifeCycleState" : "Node",
      };
    case "references": {
      const below: Below = { by: name in type.links ? "link" : "references", name };
      return { ...head, is: "connection", target: form.target, below };
    }
    case "children":
      // The children of that name are the same records.
      return name in type.children ? null : { ...head, is: "value", member: name, form };
    case "reference":
      return { ...head, is: "reference", member: name, targets: form.targets };
    default:
      return { ...head, is: "value", member: name, form };
  }
}

/** Whether a field is a list of pages, with their arguments and limits. */
export const isConnection = (field: GraphField): boolean =>
  field.is === "connection" || field.is === "files" || (field.is === "made" && isMadeConnection(field.made));

/** The members of a record that its JSON must have for a field. */
export function listMembers(field: GraphField): readonly string[] {
  if (field.is === "value" || field.is === "reference") return [field.member];
  if (field.is === "made") return field.made.members;
  if (field.is === "owner") return field.members;
  return field.is === "subject" ? [field.member, "record"] : [];
}

const referenceMembers = new WeakMap<Type, ReadonlySet<string>>();

/** The members that a reference to a record of the type shows. */
export function listReferenceMembers(type: Type): ReadonlySet<string> {
  let members = referenceMembers.get(type);
  if (members === undefined) {
    const names = [type.display, ...type.serialize.referenceFields, "sourceID", "disabled"];
    members = new Set(type.routes.singleton ? ["name"] : names.filter((name) => name in type.fields));
    referenceMembers.set(type, members);
  }
  return members;
}

/** Fields of a referenced record that need no scope of their own. */
const freeFields = new Set(["id", "name", "subject", "label", "sourceID", "disabled", "account", "pictureUri"]);
export const isFree = (field: GraphField): boolean => field.is === "number" || freeFields.has(field.name);

/** Whether the collection of a type is a field of the root. */
export const hasRoot = (type: Type): boolean =>
  isInGraph(type) &&
  !type.routes.singleton &&
  !type.routes.onlyThroughLinks &&
  (type.ownedBy.length === 0 || type.routes.hasOwnCollection);
