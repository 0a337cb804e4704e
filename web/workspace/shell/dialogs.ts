import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { withWords } from "../../languages/labels.ts";

/** Closes with Back: the shell takes the parameter out of the address. */
export type ShellDialogProps = { onClose(): void };

/** Dialogs that open above any page, by the value of `?new=` in the address; loaded when first wanted. */
export const newDialogs: Readonly<Record<string, LazyExoticComponent<ComponentType<ShellDialogProps>>>> = {
  request: lazy(async () => ({
    default: (await withWords(import("../new-request/new-request.tsx"))).NewRequestDialog,
  })),
};
