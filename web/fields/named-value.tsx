import type { RecordType } from "../../records/vocabulary/index.ts";
import type { Row } from "../api/index.ts";
import { FieldValue } from "./field-value.tsx";

/** The value of a field given by name; renders nothing if the type has no such field. */
export function NamedValue({ type, name, row }: { type: Pick<RecordType, "fields">; name: string; row: Row }) {
  const field = type.fields[name];
  return field === undefined ? null : <FieldValue name={name} field={field} row={row} />;
}
