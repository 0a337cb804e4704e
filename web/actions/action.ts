import type { IconComponent } from "../elements/icon.tsx";

/** Where an action stands in the palette and in the sheet of shortcuts. */
export type ActionGroup = "record" | "selection" | "list" | "write" | "go" | "settings" | "general";

/** Something a person can do: one declaration feeds its button, the palette and the sheet of shortcuts. */
export type Action = {
  /** unique while registered: "request.accept", "go.inbox" */
  id: string;
  /** in the language of the reader: t("…") */
  name: string;
  group: ActionGroup;
  /** "c", "g i" (one after the other), "mod+k", "shift+n", "?"; letters in lower case */
  keys?: string | undefined;
  icon?: IconComponent | undefined;
  /** other words by which the palette finds it */
  words?: string | undefined;
  /** false: neither offered nor reached by its key; absent means true */
  when?: boolean | undefined;
  /** acts although a text field has the focus; for keys with `mod` that is always so */
  inFields?: boolean | undefined;
  /** not offered in the palette: moving in a list, opening the palette itself */
  keysOnly?: boolean | undefined;
  run(): unknown;
};

/** "g i" as browsers tell assistive technology: "g i" has no form there, so only single steps are told. */
export const ariaKeys = (keys: string | undefined): string | undefined =>
  keys === undefined || keys.includes(" ") ? undefined : keys.replace("mod", "Control");
