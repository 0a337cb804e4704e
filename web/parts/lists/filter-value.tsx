import type { Field } from "../../../records/vocabulary/index.ts";
import { findType } from "../../base/record-types.ts";
import { getFieldKind } from "../../fields/index.ts";
import { CodeName } from "../../fields/references/code.tsx";
import { useRecord } from "../../queries/index.ts";

/** The readable value of a filter: names instead of ids, labels instead of API values. */
export function FilterValue({ field, value }: { field: Field; value: string }) {
  if (field.kind === "reference" && /^\d+$/.test(value)) return <ReferenceName to={field.to} id={value} />;
  if (field.kind === "code")
    return value
      .split(",")
      .flatMap((each, at) => [at > 0 && ", ", <CodeName key={each} to={field.to} reference={each} />]);
  return <>{getFieldKind(field).filterText?.(value, field) ?? value}</>;
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
