import type { FieldKind } from "./field-kind.ts";
import { NumberFilter } from "./number.tsx";

export const id: FieldKind = {
  Show: ({ value }) => <>{value}</>,
  Filter: NumberFilter,
};
