import { Pill } from "@mantine/core";
import { t } from "../languages/index.ts";

/** A chosen value that can be removed, also by keyboard. */
export function RemovablePill({ name, onRemove }: { name: string; onRemove(): void }) {
  return (
    <Pill
      size="md"
      withRemoveButton
      removeButtonProps={{ "aria-label": t("form.remove", { name }), "aria-hidden": false, tabIndex: 0 }}
      onRemove={onRemove}
    >
      {name}
    </Pill>
  );
}
