import { useEffect, useEffectEvent } from "react";
import { isTextField } from "../../../actions/keys.ts";

/** Ctrl+A selects the loaded rows. In a text field the same keys select the text. */
export function useSelectAllKey(selectLoaded: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || isTextField(event.target)) return;
    event.preventDefault();
    selectLoaded();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
