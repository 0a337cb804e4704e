import { t } from "../../../languages/index.ts";
import { PlainCheckbox } from "../../../parts/forms/plain-checkbox.tsx";

type Props = { checked: boolean; partly?: boolean; label: string; onChange(extend: boolean): void };

/** The checkbox of a row or of the header; it returns the focus to its row. */
export function SelectBox({ onChange, ...box }: Props) {
  return (
    <PlainCheckbox
      {...box}
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
