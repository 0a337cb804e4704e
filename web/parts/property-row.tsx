import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { t } from "../languages/index.ts";

type Props = {
  label: string;
  /** the displayed value */
  children: ReactNode;
  /** the editor that replaces the value; without it the row is read-only */
  edit?: ((close: () => void) => ReactNode) | undefined;
  /** the server's error for the last change */
  error?: string | undefined;
  /** opened from outside, by a key of the page; changes are reported by `onEditing` */
  editing?: boolean;
  onEditing?: (editing: boolean) => void;
};

/** A label and a value edited in place. Esc discards the change; the focus returns to the value. */
export function PropertyRow({ label, children, edit, error, editing, onEditing }: Props) {
  const id = useId();
  const [own, setOwn] = useState(false);
  const open = editing ?? own;
  const button = useRef<HTMLButtonElement>(null);
  const returnFocus = useRef(false);
  const set = (wanted: boolean) => {
    returnFocus.current = !wanted;
    setOwn(wanted);
    onEditing?.(wanted);
  };
  useEffect(() => {
    if (open || !returnFocus.current) return;
    returnFocus.current = false;
    button.current?.focus();
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.stopPropagation();
    set(false);
  };
  return (
    <div className="property" data-refused={error !== undefined || undefined}>
      <span className="property-label" id={id}>
        {label}
      </span>
      {edit === undefined ? (
        <span className="property-value">{children}</span>
      ) : open ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc bubbles up from the input inside
        <span className="property-edit" onKeyDown={onKeyDown}>
          {edit(() => set(false))}
        </span>
      ) : (
        <button
          type="button"
          ref={button}
          className="property-value property-button"
          aria-description={t("property.change", { label })}
          onClick={() => set(true)}
        >
          {children}
        </button>
      )}
      {error !== undefined && (
        <span className="property-error" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
