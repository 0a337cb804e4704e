import { Pill } from "@mantine/core";
import { t } from "../languages/index.ts";

/** Something chosen that can be taken away again, by keyboard too. */
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
