import { useEffect } from "react";
import { getPreference } from "../base/preferences.ts";
import { reachableActions } from "./registry.ts";

// One listener maps keys to actions. Single letters are ignored while a text field has the focus, and can be disabled.

const sequenceTime = 1000; // milliseconds between the keys of "g i"

/** "c", "mod+k", "shift+n", "alt+arrowup", "?", "escape", "space" */
export function readKey(event: KeyboardEvent): string {
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  const named = key.length > 1 || /\p{L}/u.test(key);
  const modifiers = [
    event.ctrlKey || event.metaKey ? "mod" : "",
    event.altKey ? "alt" : "",
    // A character such as "?" already implies Shift.
    event.shiftKey && named ? "shift" : "",
  ];
  return [...modifiers, key].filter((part) => part !== "").join("+");
}

const fields = "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]";
const pressable = "a[href], button, summary, [role=menuitem], [role=tab], [role=option], input";

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(fields) !== null;

/** Enter and Space activate the focused button or link. */
const isPress = (key: string, target: EventTarget | null): boolean =>
  (key === "enter" || key === "space") && target instanceof Element && target.closest(pressable) !== null;

/** An open menu, list or panel: Escape closes only that, nothing behind it. */
const openPopup = '[aria-haspopup][aria-expanded="true"]';

const isSingle = (keys: string): boolean => !/mod|alt/.test(keys) && keys !== "escape";

/** Mounted once, by the shell. */
export function useActionKeys(): void {
  useEffect(() => {
    let begun: { key: string; at: number } | null = null;
    let popupIsOpen = false;
    // The popup may already be closed when the key event bubbles up.
    const onCapture = (event: KeyboardEvent) => {
      popupIsOpen = event.key === "Escape" && document.querySelector(openPopup) !== null;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) {
        if (!event.repeat || !/^(j|k|Arrow)/.test(event.key)) return;
      }
      const key = readKey(event);
      if (["control", "meta", "alt", "shift", "mod+control", "shift+shift"].includes(key)) return;
      if (isPress(key, event.target) || popupIsOpen) return;
      const inField = isTextField(event.target);
      const singleKeys = getPreference("singleKeys");
      const dialogIsOpen = document.querySelector('[role="dialog"][aria-modal="true"], [data-dialog-loading]') !== null;
      const offered = reachableActions(dialogIsOpen).filter(
        ({ keys = "", inFields }) =>
          keys !== "" &&
          (inField ? inFields === true || !(isSingle(keys) || keys === "escape") : singleKeys || !isSingle(keys)),
      );
      const sequence = begun !== null && event.timeStamp - begun.at < sequenceTime ? `${begun.key} ${key}` : null;
      begun = null;
      const found =
        (sequence === null ? undefined : offered.find(({ keys }) => keys === sequence)) ??
        offered.find(({ keys }) => keys === key);
      if (found !== undefined) {
        event.preventDefault();
        found.run();
      } else if (offered.some(({ keys }) => keys?.startsWith(`${key} `))) {
        begun = { key, at: event.timeStamp };
      }
    };
    document.addEventListener("keydown", onCapture, true);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onCapture, true);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}
