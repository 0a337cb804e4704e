import { Suspense } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { getReference } from "../page-parts.ts";

const CustomFieldList = lazyPart(async () => (await import("./custom-field-list.tsx")).default);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The fields of a UI extension. Most records have none, so their list is loaded only if there is something to show. */
export function CustomFields({ type, row, locked }: { type: RecordType; row: Row; locked: boolean }) {
  const values = isObject(row.custom_fields) ? row.custom_fields : {};
  const extension = getReference(row, "ui_extension");
  // A request has the form of its template.
  const template = extension === null ? getReference(row, "template") : null;
  if (Object.keys(values).length === 0 && extension === null && template === null) return null;
  if (!("custom_fields" in type.fields)) return null;
  return (
    <Suspense>
      <CustomFieldList
        type={type}
        row={row}
        values={values}
        extension={extension}
        template={template}
        locked={locked}
      />
    </Suspense>
  );
}
