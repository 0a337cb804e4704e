import type { Field } from "../../records/vocabulary/index.ts";
import { kindOf } from "../fields/index.ts";
import type { FieldOf } from "../fields/kind.ts";
import { typeNamed } from "../groups.ts";
import { useEnumeration, useRecord } from "../queries.ts";

/** The value of a filter for people: names instead of ids, labels instead of wire values. */
export function FilterWords({ field, value }: { field: Field; value: string }) {
  if (field.kind === "reference" && /^\d+$/.test(value)) return <Named to={field.to} id={value} />;
  if (field.kind === "enum") return <Labelled field={field} value={value} />;
  return <>{kindOf(field).filterText?.(value) ?? value}</>;
}

function Named({ to, id }: { to: string; id: string }) {
  const type = typeNamed(to);
  if (type === undefined) return <>#{id}</>;
  return <NameOf type={type} id={id} />;
}

function NameOf({ type, id }: { type: NonNullable<ReturnType<typeof typeNamed>>; id: string }) {
  const { data } = useRecord(type, id);
  return <>{data === undefined ? `#${id}` : String(data[type.display])}</>;
}

function Labelled({ field, value }: { field: FieldOf<"enum">; value: string }) {
  const choices = useEnumeration(field.enumeration);
  return (
    <>
      {value
        .split(",")
        .map((id) => choices.find((choice) => choice.id === id)?.txt ?? id)
        .join(", ")}
    </>
  );
}
