import { Fragment } from "react";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const names: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  shift: "⇧",
  alt: isMac ? "⌥" : "Alt",
  enter: "↵",
  space: "Space",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  backspace: "⌫",
};

/** "mod+k" as the keys to press: ⌘K; "g i" as two keys one after the other. */
export const keyNames = (keys: string): string[][] =>
  keys.split(" ").map((step) => step.split("+").map((key) => names[key] ?? key.toUpperCase()));

/** Keys drawn as on a keyboard. Visual only: the element that has the key declares it in `aria-keyshortcuts`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="keys" aria-hidden="true">
      {keyNames(keys).map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may occur twice
        <Fragment key={at}>
          <kbd className="kbd">{step.join(isMac ? "" : step.length > 1 ? " " : "")}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
