import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../words.ts";

/** The browser's dialog element: it traps the focus, closes on Esc and returns the focus. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element !== null && !element.open) element.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="plain" aria-label={t("close")} onClick={onClose}>
          <Icon of={IconX} size={20} />
        </button>
      </header>
      {children}
    </dialog>
  );
}
