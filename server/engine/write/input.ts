import type { Field } from "../../../records/vocabulary/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Problem } from "../../base/errors.ts";
import { pickZoneName, toIanaZone } from "../../base/time-zones.ts";
import type { Caller } from "../caller.ts";
import type { AttachmentInput } from "../kinds/attachments.ts";
import { getKind } from "../kinds/index.ts";
import { Refusal, type Value } from "../kinds/kind.ts";
import type { Values } from "../rules.ts";
import type { Type } from "../types.ts";

/** The members of a request body. */
export type Body = {
  members: Readonly<Record<string, unknown>>;
  /** the text of a number exactly as it was sent; a decimal must not pass through a binary float */
  numberText?: (member: string) => string | undefined;
  /** Prefer: handling=strict makes unknown and readonly members an error */
  strict?: boolean;
  /** If-Match: the revisions of the record that the change is meant for; absent: any */
  revisions?: ReadonlySet<number> | undefined;
  /** the caller does not need the response */
  skipResponse?: boolean;
  /** problems of members that were removed before */
  problems?: readonly Problem[];
};

export type Input = {
  values: Values;
  attachments: ReadonlyMap<string, readonly AttachmentInput[]>;
  /** members that were not used: unknown, readonly, or writable on create only */
  ignored: readonly string[];
  problems: Problem[];
};

/** `before`: the stored record; without it, times are read in the zone of the caller. */
export function readInput(
  type: Type,
  body: Body,
  by: Caller,
  purpose: "create" | "update",
  before: Values | null = null,
): Input {
  const input = {
    values: {} as Values,
    attachments: new Map<string, AttachmentInput[]>(),
    ignored: [] as string[],
    problems: [...(body.problems ?? [])],
  };
  for (const [name, given] of Object.entries(body.members)) {
    const member = type.members.get(name);
    if (member === undefined || !isWritable(member.field, purpose)) {
      input.ignored.push(name);
      continue;
    }
    const { field } = member;
    try {
      const kind = getKind(field);
      if (kind.isAttachmentInput)
        input.attachments.set(member.name, kind.read(given ?? [], field, by) as unknown as AttachmentInput[]);
      else if (kind.readId !== undefined && name !== member.name) input.values[member.name] = kind.readId(given);
      else {
        const reader = field.timeZoneField === undefined ? by : withZone(by, field.timeZoneField, body, before);
        input.values[member.name] = readValue(field, given, body.numberText?.(name), reader);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      input.problems.push([member.name, error.message, error.values]);
    }
  }
  if (body.strict)
    for (const name of input.ignored)
      input.problems.push([name, type.members.has(name) ? "is not editable" : "is unknown"]);
  return input;
}

/** The caller, in the time zone that the body or else the record names. */
function withZone(by: Caller, field: string, body: Body, before: Values | null): Caller {
  const given = body.members[field];
  const name =
    typeof given === "string" && given !== "" ? pickZoneName(given, by.now) : (before?.[field] as string | null);
  return name == null ? by : { ...by, zone: toIanaZone(name) };
}

const isWritable = (field: Field, purpose: "create" | "update"): boolean =>
  field.access !== "readonly" && !field.internal && !(field.onCreateOnly && purpose === "update");

function readValue(field: Field, given: unknown, numberText: string | undefined, by: Caller): Value {
  const kind = getKind(field);
  if (given === null || given === undefined || given === "") return kind.readBlank?.(field) ?? null;
  return kind.read(typeof given === "number" && !kind.isList ? (numberText ?? given) : given, field, by);
}

/** The value of a field of a new record that was not given. */
export function pickDefault(field: Field, by: Caller): Value | undefined {
  const standard = field.default;
  if (standard === undefined) return undefined;
  if ("value" in standard) return standard.value;
  if ("clock" in standard) return toTimestamp(by.now);
  if ("caller" in standard) {
    if (standard.caller === "time_zone") return by.me.zoneName;
    return by.isService ? undefined : by.person;
  }
  if ("of" in standard) return undefined; // inherited, once the record it comes from is known
  return by.accountRecord[standard.account as "locale" | "time_zone" | "time_format_24h" | "currency"];
}
