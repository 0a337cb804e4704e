import { Suspense } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api.ts";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import type { Reference } from "../../../queries/reference.ts";
import { referenceOf } from "../page-parts.ts";

const CustomFieldList = lazyPart(async () => (await import("./custom-field-list.tsx")).default);

/** What a UI extension asks for. Most records have none, so the list of them is loaded only where there is something to show. */
export function CustomFields({ type, row, locked }: { type: RecordType; row: Row; locked: boolean }) {
  const values = (row.custom_fields ?? {}) as Readonly<Record<string, unknown>>;
  const extension = (row.ui_extension as Reference | null | undefined) ?? null;
  // The form of a request is that of its template.
  const template = extension === null ? referenceOf(row, "template") : null;
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
