import { Fragment } from "react";
import type { Field } from "../../../records/vocabulary/index.ts";
import { findType } from "../../base/record-types.ts";
import type { FieldWithKind } from "../../fields/field-kind.ts";
import { getFieldKind } from "../../fields/index.ts";
import { CodeName } from "../../fields/references/code.tsx";
import { choiceLabel } from "../../languages/labels.ts";
import { useRecord } from "../../queries/index.ts";

/** The value of a filter for people: names instead of ids, labels instead of wire values. */
export function FilterValue({ field, value }: { field: Field; value: string }) {
  if (field.kind === "reference" && /^\d+$/.test(value)) return <ReferenceName to={field.to} id={value} />;
  if (field.kind === "code") return <CodeNames to={field.to} references={value.split(",")} />;
  if (field.kind === "string" && field.format === "country") return <>{choiceLabel("countries", value)}</>;
  if (field.kind === "enum") return <ChoiceLabels field={field} value={value} />;
  return <>{getFieldKind(field).filterText?.(value) ?? value}</>;
}

function ReferenceName({ to, id }: { to: string; id: string }) {
  const type = findType(to);
  if (type === undefined) return <>#{id}</>;
  return <RecordName type={type} id={id} />;
}

function RecordName({ type, id }: { type: NonNullable<ReturnType<typeof findType>>; id: string }) {
  const { data } = useRecord(type, id);
  return <>{data === undefined ? `#${id}` : String(data[type.display])}</>;
}

const CodeNames = ({ to, references }: { to: string; references: readonly string[] }) =>
  references.map((reference, at) => (
    <Fragment key={reference}>
      {at > 0 && ", "}
      <CodeName to={to} reference={reference} />
    </Fragment>
  ));

function ChoiceLabels({ field, value }: { field: FieldWithKind<"enum">; value: string }) {
  const chosen = value.split(",").map((each) => choiceLabel(field.enumeration, each));
  return <>{chosen.join(", ")}</>;
}
