import { type Ref, useLayoutEffect, useState } from "react";

/** Stands in the place of a target in the library's dropdowns and gives them a button that stands elsewhere. */
export function Anchor({ of: element, ref, id }: { of: HTMLElement; ref?: Ref<HTMLElement>; id?: string }) {
  useLayoutEffect(() => {
    if (id !== undefined && element.id === "") element.id = id;
    if (typeof ref !== "function") return;
    const end = ref(element);
    return () => (typeof end === "function" ? end() : void ref(null));
  }, [element, ref, id]);
  return null;
}

/** A dropdown opens after it was mounted: what has the focus before gets it back when it closes. */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [shown, setShown] = useState(false);
  useLayoutEffect(() => setShown(opened), [opened]);
  return shown;
}
