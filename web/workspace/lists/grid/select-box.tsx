import { useEffect, useRef } from "react";
import { t } from "../../../languages/index.ts";

type Props = { checked: boolean; partly?: boolean; label: string; onChange(extend: boolean): void };

/**
 * The box of a row or of the header; the row beneath it gets the focus back. A plain input: a component of the library for
 * each row costs more than the rest of the row.
 */
export function SelectBox({ checked, partly = false, label, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = partly;
  }, [partly]);
  return (
    <input
      ref={box}
      type="checkbox"
      className="select-box"
      checked={checked}
      aria-label={label}
      tabIndex={-1}
      onChange={() => {}}
      onClick={(event) => {
        event.stopPropagation();
        onChange(event.shiftKey);
      }}
    />
  );
}

export const selectLabel = (name: string): string => t("list.selectRow", { name });
