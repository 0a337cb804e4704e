import { Checkbox } from "@mantine/core";
import { t } from "../../../languages/index.ts";

/** The box of a row or of the header; the row beneath it gets the focus back. */
export function SelectBox({
  checked,
  partly = false,
  label,
  onChange,
}: {
  checked: boolean;
  partly?: boolean;
  label: string;
  onChange(extend: boolean): void;
}) {
  return (
    <Checkbox
      size="xs"
      checked={checked}
      indeterminate={partly}
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
