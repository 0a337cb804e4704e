import type { Problem } from "../../base/errors.ts";
import type { Type, Types } from "../../engine/types.ts";
import type { Body } from "../../engine/write/input.ts";
import type { InputField } from "../model/input-fields.ts";
import { contactMembers, type MadeInput } from "../model/made-fields.ts";
import { parseIdOf, parseNodeId } from "../read/record-source.ts";

// From the input of a mutation to the body of the REST call that does the same.

export type MutationInput = Readonly<Record<string, unknown>>;

type InputContext = { domain: string; types: Types };

/** `paths`: the input member that writes each field, for the messages */
export type ReadInput = { body: Body; paths: ReadonlyMap<string, string> };

const invalid = "is not valid";

export function readMembers(context: InputContext, fields: readonly InputField[], input: MutationInput): ReadInput {
  const members: Record<string, unknown> = {};
  const problems: Problem[] = [];
  const paths = new Map<string, string>();
  for (const field of fields) {
    if (!("member" in field) && field.is !== "owner" && field.is !== "made") continue;
    if ("member" in field) paths.set(field.member, field.name);
    if (field.is === "made") paths.set(field.made.member, field.name);
    const given = input[field.name];
    if (given === undefined) continue;
    switch (field.is) {
      case "reference": {
        const id = given === null || given === "" ? null : readReference(context, field.targets, String(given));
        if (id === undefined) problems.push([field.member, invalid]);
        else members[field.member] = id;
        break;
      }
      case "references": {
        const target = context.types.get(field.target);
        const ids = readIds(context, target, given);
        if (ids === null) problems.push([field.member, invalid]);
        else members[field.member] = ids;
        break;
      }
      case "owner": {
        for (const member of field.members) paths.set(member, field.name);
        const named = given === null ? null : parseNodeId(String(given), context.domain, context.types);
        for (const member of field.members) members[member] = null;
        if (named !== null && field.members.includes(named.type.name)) members[named.type.name] = named.id;
        else if (given !== null) problems.push([field.members[0] as string, invalid]);
        break;
      }
      case "files":
        members[field.member] = (given as readonly { key: string; inline?: boolean }[] | null) ?? [];
        break;
      case "made":
        readMade(context, field.made, given, input, members, problems);
        break;
      default:
        members[field.member] = given;
    }
  }
  return { body: { members, problems, skipResponse: true }, paths };
}

/** Roles are no member: they are saved beside the record. */
function readMade(
  context: InputContext,
  { make, member, target }: MadeInput,
  given: unknown,
  input: MutationInput,
  members: Record<string, unknown>,
  problems: Problem[],
): void {
  const isBlank = given === null || given === "";
  switch (make) {
    case "activity ids":
      for (const [kind, value] of Object.entries((given ?? {}) as MutationInput)) members[`activityID_${kind}`] = value;
      break;
    case "recurrence":
    case "reservation recurrence":
      members[member] = isBlank ? null : readRecurrence(context, given as MutationInput);
      break;
    case "languages":
      members[member] = isBlank ? null : (given as readonly string[]).join(",");
      break;
    case "id of a code":
    case "id of a note": {
      const id = isBlank
        ? null
        : parseIdOf(String(given), context.types.get(target ?? "note"), context.domain, context.types);
      if (id === null && !isBlank) problems.push([member, invalid]);
      else members[make === "id of a code" ? `${member}_id` : member] = id;
      break;
    }
    case "uri": {
      const protocol = input.protocol as string | null | undefined;
      if (protocol == null) problems.push(["uri", invalid]);
      else for (const each of contactMembers) members[each] = each === protocol ? given : null;
      break;
    }
    case "decimal":
    case "text":
      members[member] = given;
  }
}

/** The members of REST; a calendar is named by its id. */
const readRecurrence = ({ domain, types }: InputContext, given: MutationInput): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name === "calendarId" && value != null
        ? (parseIdOf(String(value), types.get("calendar"), domain, types) ?? -1)
        : value,
    ]),
  );

/** Undefined: the id names nothing that the field may refer to. */
function readReference(
  { domain, types }: InputContext,
  targets: readonly string[],
  text: string,
): number | string | undefined {
  for (const name of targets) {
    const target = types.get(name);
    if (target.routes.singleton) return text;
    const id = parseIdOf(text, target, domain, types);
    if (id !== null) return id;
  }
  return undefined;
}

/** Null: one of the ids names nothing. */
export function readIds({ domain, types }: InputContext, target: Type, given: unknown): number[] | null {
  const ids = ((given as readonly string[] | null) ?? []).map((text) => parseIdOf(String(text), target, domain, types));
  return ids.includes(null) ? null : (ids as number[]);
}
