import type { LazyPart } from "../../elements/lazy-part.tsx";
import { withWords } from "../../languages/labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";

/** Closed by Back: the shell removes the parameter from the address. */
export type ShellDialogProps = { onClose(): void };

/** Dialogs that open above any page, by the value of `?new=` in the address; loaded on first use. */
export const newDialogs: Readonly<Record<string, LazyPart<ShellDialogProps>>> = {
  request: lazyDialog(async () => (await withWords(import("../new-request/new-request.tsx"))).NewRequestDialog),
};
