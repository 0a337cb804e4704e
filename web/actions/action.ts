import type { IconComponent } from "../elements/icon.tsx";

/** The section of the palette and of the shortcut sheet that lists an action. */
export type ActionGroup = "record" | "selection" | "list" | "write" | "go" | "settings" | "general";

/** Something a person can do: one declaration feeds its button, the palette and the shortcut sheet. */
export type Action = {
  /** unique while registered: "request.accept", "go.inbox" */
  id: string;
  /** in the reader's language: t("…") */
  name: string;
  group: ActionGroup;
  /** "c", "g i" (one after the other), "mod+k", "shift+n", "?"; letters in lower case */
  keys?: string | undefined;
  icon?: IconComponent | undefined;
  /** synonyms that the palette matches too */
  words?: string | undefined;
  /** false: neither offered nor triggered by its key; absent means true */
  when?: boolean | undefined;
  /** also triggered while a text field has the focus; keys with `mod` always are */
  inFields?: boolean | undefined;
  /** hidden in the palette: moving in a list, opening the palette itself */
  keysOnly?: boolean | undefined;
  run(): unknown;
};

/** The format of `aria-keyshortcuts`. It can't express a sequence like "g i", so only single steps are returned. */
export const ariaKeys = (keys: string | undefined): string | undefined =>
  keys === undefined || keys.includes(" ") ? undefined : keys.replace("mod", "Control");
