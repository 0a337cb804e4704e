import type { ReactNode } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { formatWithin } from "../../../base/moments.ts";
import { currentLocale, t } from "../../../languages/index.ts";
import { lowerFirst, shortChoiceLabel } from "../../../languages/labels.ts";
import { currentTime } from "../../../parts/now.ts";
import { nameRule } from "../../../parts/records/audit-actor.ts";
import {
  collectKeys,
  collectMentioned,
  getTargetType,
  nameOfKey,
  type RecordNames,
} from "../../../queries/record-names.ts";
import type { AuditRow, NoteRow } from "../../../queries/record-page.ts";
import { getReferenceName } from "../../../queries/reference.ts";
import { columnLabel } from "../../lists/grid/columns.ts";
import { impacts } from "../impacts.ts";
import { getReference } from "../page-parts.ts";
import { remarkableChanges } from "./build-entries.ts";

// Describes a change: "assigned it to Networks and raised the impact to High".

/** Names that are already on the page: those of the record's own references and of the authors. */
export function collectKnown(
  row: Row,
  notes: readonly NoteRow[],
  lines: readonly AuditRow[],
  type: RecordType,
): Map<string, string> {
  const people = [...notes.map(({ person }) => person), ...lines.map(({ created_by }) => created_by)];
  const known = new Map<string, string>(
    people.flatMap((person) => (person == null ? [] : [[`person ${person.id}`, getReferenceName(person)] as const])),
  );
  for (const [name, field] of Object.entries(type.fields)) {
    const value = getReference(row, name);
    if (field.kind === "reference" && value !== null) known.set(`${field.to} ${value.id}`, getReferenceName(value));
  }
  return known;
}

/** The other records mentioned in these lines whose names are unknown: old and new values of fields. */
export function collectUnknown(type: RecordType, lines: readonly AuditRow[], known: RecordNames) {
  const changed = lines.flatMap((line) =>
    remarkableChanges(line).map(([name, [before, after]]) => [type, name, [after ?? before]] as const),
  );
  return collectMentioned(changed, known);
}

function formatValue(type: RecordType, name: string, value: unknown, names: RecordNames): string {
  if (value === null || value === undefined || value === "") return t("request.none");
  const target = getTargetType(type, name);
  const field = type.fields[name];
  if (target !== undefined) {
    const known = collectKeys(type, name, value).map((key) => nameOfKey(names, target, key));
    return known.length === 0 ? String(value) : new Intl.ListFormat(currentLocale()).format(known);
  }
  if (field?.kind === "enum") return shortChoiceLabel(field.enumeration, String(value));
  if (typeof value === "boolean") return t(value ? "request.yes" : "request.no");
  if ((field?.kind === "datetime" || field?.kind === "target") && /^\d{4}-/.test(String(value)))
    return formatWithin(Date.parse(String(value)), currentTime());
  return typeof value === "object" ? "…" : String(value);
}

type PhraseKey = "status" | "team" | "member" | "took" | "raised" | "lowered" | "impact" | "major";

function pickPhrase(name: string, before: unknown, after: unknown): PhraseKey | null {
  if (after === null || after === undefined) return null;
  if (name === "status" || name === "team" || name === "member") return name;
  if (name === "major_incident_status") return "major";
  if (name !== "impact") return null;
  if (before === null) return "impact";
  return impacts.indexOf(String(after)) > impacts.indexOf(String(before)) ? "raised" : "lowered";
}

/** Within a sentence "at" is redundant: "set analysis target to". */
const nameField = (name: string): string => lowerFirst(columnLabel(name));

function writePhrase(
  type: RecordType,
  line: AuditRow,
  name: string,
  [before, after]: readonly [unknown, unknown],
  names: RecordNames,
): string {
  const phrase = name === "member" && after === line.created_by?.id ? "took" : pickPhrase(name, before, after);
  const value = formatValue(type, name, after, names);
  if (phrase !== null) return t(`request.change.${phrase}`, { value });
  const field = nameField(name);
  if (type.links[name] !== undefined)
    return after === null
      ? t("request.change.unlinked", { field, value: formatValue(type, name, before, names) })
      : t("request.change.linked", { field, value });
  return after === null || after === undefined || after === ""
    ? t("request.change.cleared", { field })
    : t("request.change.set", { field, value });
}

/** The names of the changed fields, for a collapsed run. */
export function listFields(lines: readonly AuditRow[]): string {
  const names = new Set(lines.flatMap((line) => remarkableChanges(line).map(([name]) => nameField(name))));
  return [...names].slice(0, 4).join(", ");
}

/** One line: the author, and a description of the change. */
export function describeChange(type: RecordType, line: AuditRow, names: RecordNames): ReactNode {
  const who = <b>{nameRule(line.changes) ?? line.created_by?.name ?? t("request.change.automatic")}</b>;
  if (line.action === "create")
    return (
      <>
        {who} {t("request.change.created")}
      </>
    );
  const phrases = remarkableChanges(line).map(([name, values]) => writePhrase(type, line, name, values, names));
  return (
    <>
      {who} {new Intl.ListFormat(currentLocale()).format(phrases)}
    </>
  );
}
