import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { t } from "../languages/index.ts";

type Props = {
  label: string;
  /** what is shown */
  children: ReactNode;
  /** what replaces it while it is changed; without it the row is read-only */
  edit?: ((close: () => void) => ReactNode) | undefined;
  /** why the server refused the last change */
  error?: string | undefined;
  /** opened from outside, by a key of the page; told back by `onEditing` */
  editing?: boolean;
  onEditing?: (editing: boolean) => void;
};

/** A label and a value that is changed in its place. Esc leaves the value as it was; the focus returns to it. */
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
