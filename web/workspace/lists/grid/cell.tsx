import type { Field, RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { formatExact, formatNear } from "../../../base/moments.ts";
import { tip } from "../../../elements/tip.tsx";
import { FieldValue } from "../../../fields/field-value.tsx";
import { t } from "../../../languages/index.ts";
import { choiceLabel, shortChoiceLabel } from "../../../languages/labels.ts";
import { useNow } from "../../../parts/now.ts";
import { PersonName } from "../../../parts/people/person-name.tsx";
import { ImpactIcon } from "../../../parts/work/impact.tsx";
import { SlaChip } from "../../../parts/work/sla-chip.tsx";
import { StatusChip } from "../../../parts/work/status.tsx";
import { getReferenceName, readReference } from "../../../queries/reference.ts";

// A value in a list row: one line, without links except for the record's name.

function NearMoment({ value }: { value: string }) {
  const now = useNow();
  const at = Date.parse(value);
  return (
    <time className="numbers list-quiet" dateTime={value} {...tip(formatExact(at))}>
      {formatNear(at, now)}
    </time>
  );
}

type Props = { type: RecordType; name: string; row: Row };

export function Cell({ type, name, row }: Props) {
  const field = type.fields[name];
  const value = row[name];
  if (field === undefined) return null;
  const isPerson = field.kind === "reference" && field.to === "person";
  if (value === null || value === undefined || value === "")
    return isPerson && name === "member" ? <PersonName person={null} /> : null;
  if (field.kind === "enum" && name === "status") return <StatusChip type={type.name} status={String(value)} />;
  if (field.kind === "enum" && name === "impact") return <ImpactIcon impact={String(value)} />;
  if (field.kind === "enum")
    return <span className="list-quiet truncate">{shortChoiceLabel(getEnumeration(field), String(value))}</span>;
  if (field.kind === "target") return <SlaChip target={String(value)} status={String(row.status ?? "")} />;
  if (field.kind === "datetime") return <NearMoment value={String(value)} />;
  if (field.kind === "id") return <span className="numbers list-quiet">{String(value)}</span>;
  const reference = readReference(value);
  if (isPerson) return <PersonName person={reference} you={false} />;
  if (reference !== null && (field.kind === "reference" || field.kind === "backReference"))
    return <span className="list-quiet truncate">{getReferenceName(reference)}</span>;
  if (field.kind === "boolean")
    return <span className="list-quiet">{t(value === true ? "value.yes" : "value.no")}</span>;
  if ((field.kind === "string" && field.format !== "country") || field.kind === "text")
    return <span className="truncate">{String(value)}</span>;
  return <FieldValue name={name} field={field} row={row} />;
}

const getEnumeration = (field: Field): string => (field.kind === "enum" ? field.enumeration : "");

/** The value as a line of text, for files and screen readers. */
export function cellText(type: RecordType, name: string, row: Row): string {
  const field = type.fields[name];
  const value = row[name];
  if (field === undefined || value === null || value === undefined) return "";
  if (field.kind === "enum") return shortChoiceLabel(getEnumeration(field), String(value));
  if (field.kind === "string" && field.format === "country") return choiceLabel("countries", String(value));
  if (field.kind === "boolean") return t(value === true ? "value.yes" : "value.no");
  const reference = readReference(value);
  if (reference !== null) return getReferenceName(reference);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
