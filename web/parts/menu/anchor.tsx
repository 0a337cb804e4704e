import { type Ref, useLayoutEffect, useState } from "react";

/** Replaces a target in the library's dropdowns and anchors them to a button elsewhere in the page. */
export function Anchor({ of: element, ref, id }: { of: HTMLElement; ref?: Ref<HTMLElement>; id?: string }) {
  useLayoutEffect(() => {
    if (id !== undefined && element.id === "") element.id = id;
    if (typeof ref !== "function") return;
    const end = ref(element);
    return () => (typeof end === "function" ? end() : void ref(null));
  }, [element, ref, id]);
  return null;
}

/** A dropdown opens after it was mounted, so that it returns the focus to the element that had it before. */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [shown, setShown] = useState(false);
  useLayoutEffect(() => setShown(opened), [opened]);
  return shown;
}
