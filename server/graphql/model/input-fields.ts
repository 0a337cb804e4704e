import type { ChildVerb, Field } from "../../../records/vocabulary/index.ts";
import type { GraphForm } from "../../engine/kinds/graph-form.ts";
import { getGraphForm } from "../../engine/kinds/index.ts";
import type { Type, Types } from "../../engine/types.ts";
import { isInGraph, pickOwner } from "./graph-fields.ts";
import { type MadeInput, pickMadeInputs, replacedInputs } from "./made-fields.ts";
import { pickMemberName, pickTypeName, toMemberName, toSingular } from "./names.ts";

// The members of the inputs of mutations, as data: what each one writes.

export type InputField = { name: string; description: string } & (
  | { is: "value"; member: string; form: GraphForm; isRequired: boolean }
  | { is: "reference"; member: string; targets: readonly string[]; isRequired: boolean }
  | { is: "references"; member: string; target: string }
  /** one id decides which of several references is written */
  | { is: "owner"; members: readonly string[] }
  | { is: "files"; member: string }
  | { is: "custom fields"; member: string }
  /** takes a value in another form than REST */
  | { is: "made"; made: MadeInput }
  /** replaces all linked records */
  | { is: "links"; link: string; target: string }
  | { is: "new by name"; link: string; target: string }
  | { is: "unlink"; link: string; target: string }
  | { is: "new children"; child: string; of: string; verbs: readonly ChildVerb[] }
  | { is: "delete children"; child: string; of: string }
);

/** Inputs that are not named like the field. */
const inputNames: Record<string, Record<string, string>> = {
  service: { provider: "provider" },
  invoice: { cis: "cis" },
  short_url: { ci: "ci" },
};

const allVerbs: readonly ChildVerb[] = ["create", "update", "delete"];

/** Inputs of children that the public interface names otherwise. */
// biome-ignore format: a table keeps its columns
const childInputNames: Record<string, string> = {
  ci_relation:                    "CiRelationInput",
  calendar_hour:                  "CalendarHoursInput",
  task_template_relation:         "WorkflowTemplateTaskTemplateInput",
  project_task_template_relation: "ProjectTemplateTaskTemplateInput",
};
export const pickChildInputName = (type: string): string => childInputNames[type] ?? `${pickTypeName(type)}Input`;

/** Whether REST writes records of the type in a collection of their own. */
export const isWritable = (type: Type): boolean =>
  isInGraph(type) &&
  !type.storage.journal &&
  !type.routes.singleton &&
  !type.routes.onlyThroughLinks &&
  type.ownedBy.length === 0;

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function listInputFields(type: Type, types: Types, purpose: "create" | "update" | "child"): InputField[] {
  const fields: InputField[] = [];
  for (const [name, made] of pickMadeInputs(type))
    if (purpose !== "update" || !type.fields[made.member]?.onCreateOnly)
      fields.push({ is: "made", name, made, description: `Writes ${made.member.replaceAll("_", " ")}.` });
  for (const [name, field] of type.fieldEntries) {
    if (replacedInputs[type.name]?.includes(name)) continue;
    const described = describeInput(type, name, field, purpose);
    if (described !== null) fields.push(described);
  }
  const owner = pickOwner(type);
  const isOwnerWritable = owner?.members.every((name) => type.fields[name]?.access === "optional");
  if (owner !== null && isOwnerWritable && purpose !== "child")
    fields.push({ is: "owner", name: `${owner.name}Id`, members: owner.members, description: "What it belongs to." });
  if (purpose !== "child")
    fields.push(...listLinkInputs(type, types, purpose), ...listChildInputs(type, types, purpose));
  const unique = new Map(fields.toReversed().map((field) => [field.name, field]));
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describeInput(
  type: Type,
  name: string,
  field: Field,
  purpose: "create" | "update" | "child",
): InputField | null {
  const isComputed = field.computed !== undefined && !field.transient;
  if (field.access === "readonly" || field.internal || isComputed || field.derived !== undefined) return null;
  if (field.onCreateOnly && purpose === "update") return null;
  const member = inputNames[type.name]?.[name] ?? pickMemberName(type.name, name);
  const description = field.note ?? `${name.replaceAll("_", " ")}.`;
  const isRequired = purpose === "create" && field.access === "required" && field.default === undefined;
  const form = getGraphForm(field);
  switch (form.is) {
    case "id":
    case "subject":
    case "children":
    case "address of a file":
      return null;
    case "reference":
      return form.isWritable
        ? { is: "reference", name: `${member}Id`, member: name, targets: form.targets, isRequired, description }
        : null;
    case "references":
      return { is: "references", name: `${toSingular(member)}Ids`, member: name, target: form.target, description };
    case "files":
      return { is: "files", name: toMemberName(name), member: name, description };
    case "custom fields":
      return { is: "custom fields", name: member, member: name, description };
    default:
      return { is: "value", name: member, member: name, form, isRequired, description };
  }
}

function listLinkInputs(type: Type, types: Types, purpose: "create" | "update"): InputField[] {
  return Object.entries(type.links).flatMap(([name, link]): InputField[] => {
    // A field of that name writes the whole list.
    const isField = type.outputFields.includes(name) || type.fields[name]?.access === "writeonly";
    if (isField || !isInGraph(types.get(link.to))) return [];
    const member = pickMemberName(type.name, name);
    if (link.createByName) {
      const added = `new${upperFirst(member)}`;
      const add: InputField = {
        is: "new by name",
        name: added,
        link: name,
        target: link.to,
        description: "Adds them.",
      };
      const unlinked = `${member}ToDelete`;
      const remove: InputField = {
        is: "unlink",
        name: unlinked,
        link: name,
        target: link.to,
        description: "Removes them.",
      };
      return purpose === "create" ? [add] : [add, remove];
    }
    const description = `Replaces all ${name.replaceAll("_", " ")}.`;
    return [{ is: "links", name: `${toSingular(member)}Ids`, link: name, target: link.to, description }];
  });
}

function listChildInputs(type: Type, types: Types, purpose: "create" | "update"): InputField[] {
  return Object.entries(type.children).flatMap(([name, { of, allows }]): InputField[] => {
    const verbs = allows ?? allVerbs;
    const child = types.get(of);
    // Notes are written with `note`, or by a mutation of their own.
    if (!verbs.includes("create") || child.routes.hasOwnCollection) return [];
    const member = pickMemberName(type.name, name);
    const added: InputField = {
      is: "new children",
      name: `new${upperFirst(member)}`,
      child: name,
      of,
      verbs,
      description: `Adds ${name.replaceAll("_", " ")}; an entry with an id changes that one.`,
    };
    if (purpose === "create" || !verbs.includes("delete")) return [added];
    return [added, { is: "delete children", name: `${member}ToDelete`, child: name, of, description: "Deletes them." }];
  });
}
