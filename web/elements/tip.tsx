import { useEffect, useState } from "react";
import { createPortal } from "react-dom";

// Tooltips on hover and focus. One layer serves the whole page, because a tooltip component for each of some hundred
// chips and avatars in a list costs more than the list itself.

/** Props that give any element a tooltip. Screen readers need a label in addition. */
export const tip = (text: string | undefined) => (text === undefined ? {} : { "data-tip": text });

const hoverDelay = 350; // milliseconds

type VisibleTip = { text: string; left: number; top: number; above: boolean; home: Element };

function placeTip(target: Element): VisibleTip {
  const box = target.getBoundingClientRect();
  const above = box.bottom + 60 > innerHeight;
  const left = Math.min(Math.max(box.left + box.width / 2, 8), innerWidth - 8);
  // Rendered in the same part of the page; not in a dialog, which moves while it opens and would move the tooltip with
  // it.
  const home = target.closest("[role=dialog]") === null ? target.closest("main, nav") : null;
  const text = target.getAttribute("data-tip") ?? "";
  return { text, left, top: above ? box.top - 6 : box.bottom + 6, above, home: home ?? document.body };
}

export function TipLayer() {
  const [shown, setShown] = useState<VisibleTip | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let target: Element | null = null;
    const hide = () => {
      clearTimeout(timer);
      target = null;
      setShown(null);
    };
    const show = (found: Element, delay: number) => {
      clearTimeout(timer);
      target = found;
      timer = setTimeout(() => found.isConnected && setShown(placeTip(found)), delay);
    };
    const onOver = (event: Event) => {
      const over = event.target;
      if (!(over instanceof Element)) return;
      if (over.closest(".tip") !== null) return; // the tooltip itself may be hovered
      const found = over.closest("[data-tip]");
      if (found === target) return;
      if (found === null) hide();
      else show(found, hoverDelay);
    };
    const onFocus = (event: Event) => {
      const found = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
      if (found?.matches(":focus-visible")) show(found, 0);
    };
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    // The key may have changed the element, so that the tooltip no longer applies.
    const onKeyUp = () => target?.hasAttribute("data-tip") === false && hide();
    document.addEventListener("mouseover", onOver);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", hide);
    document.addEventListener("keydown", onKey);
    document.addEventListener("keyup", onKeyUp);
    document.addEventListener("mousedown", hide);
    document.addEventListener("scroll", hide, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("mouseover", onOver);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("keyup", onKeyUp);
      document.removeEventListener("mousedown", hide);
      document.removeEventListener("scroll", hide, true);
    };
  }, []);
  if (shown === null || shown.text === "") return null;
  return createPortal(
    <div
      className="tip"
      role="tooltip"
      data-above={shown.above || undefined}
      style={{ left: shown.left, top: shown.top }}
    >
      {shown.text}
    </div>,
    shown.home,
  );
}
