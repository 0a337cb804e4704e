import { Suspense } from "react";
import { lazyPart } from "../../elements/lazy-part.tsx";
import type { EditProps, FieldKind, ShowProps } from "../field-kind.ts";
import { toWire } from "./recurrence-members.ts";

// A recurrence: a small form whose fields depend on the frequency. Few pages have one, so they load it on demand. RC9

const RecurrenceForm = lazyPart(async () => (await import("./recurrence-form.tsx")).RecurrenceForm);
const ShownRecurrence = lazyPart(async () => (await import("./recurrence-shown.tsx")).ShownRecurrence);

const Show = (props: ShowProps) => (
  <Suspense fallback={null}>
    <ShownRecurrence {...props} />
  </Suspense>
);
const Edit = (props: EditProps) => (
  <Suspense fallback={null}>
    <RecurrenceForm {...props} />
  </Suspense>
);

export const recurrence: FieldKind = { Show, Edit, toWire, wide: true };
