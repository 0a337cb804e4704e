import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { t } from "../../languages/index.ts";
import { consumeEarlyText, storeEarlyText } from "./dialog-focus.ts";
import { useReturnFocus } from "./return-focus.ts";

/**
 * The placeholder of a dialog while its code is loading: it has the focus, so that keys don't reach the page behind,
 * and typed text goes into the dialog once it is rendered (D-755). Escape closes it.
 */
export function LoadingDialog({ onClose }: { onClose?: (() => void) | undefined }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const own = field.current;
    const holdFocus = () => own?.focus({ preventScroll: true });
    if (own !== null) own.value = consumeEarlyText();
    holdFocus();
    // A closing menu returns the focus to its button a moment later.
    document.addEventListener("focusin", holdFocus);
    return () => {
      document.removeEventListener("focusin", holdFocus);
      storeEarlyText(own?.value ?? "");
    };
  }, []);
  useReturnFocus();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (field.current !== null) field.current.value = "";
      onClose?.();
    } else if (event.key !== "Tab" && event.key !== "Enter") return;
    event.preventDefault();
  };
  return (
    <div
      role="dialog"
      aria-modal="true"
      aria-label={t("app.loading")}
      className="dialog-loading"
      data-dialog-loading
      onMouseDown={(event) => event.preventDefault()}
    >
      <textarea ref={field} inputMode="none" aria-label={t("app.loading")} className="spoken" onKeyDown={onKeyDown} />
      <span aria-hidden="true">{t("app.loading")}</span>
    </div>
  );
}
