import type { FieldKind } from "./kind.ts";
import { ReferenceLink } from "./reference.tsx";

// The UI extension that applies to all records of the type: chosen by being the active one, not here.

export const extension: FieldKind = { Show: ({ value }) => <ReferenceLink to="ui_extension" value={value} /> };
