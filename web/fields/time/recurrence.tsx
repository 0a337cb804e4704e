import { Suspense } from "react";
import { lazyPart } from "../../elements/lazy-part.tsx";
import type { EditProps, FieldKind, ShowProps } from "../field-kind.ts";
import { toWire } from "./recurrence-members.ts";

// When something comes again: a small form whose fields depend on how often. Few pages have one, so it is loaded with
// them. RC9

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
