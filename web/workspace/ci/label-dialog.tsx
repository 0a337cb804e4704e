import { Button } from "@mantine/core";
import IconPrinter from "@tabler/icons-react/dist/esm/icons/IconPrinter.mjs";
import type { Row } from "../../api/index.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { QrCode } from "../../parts/forms/qr-code.tsx";
import { readReference } from "../../queries/reference.ts";

/** D-360: the short address printed on an item's label. */
const buildLabelAddress = (id: number): string => `${location.origin}/q/${id}`;

/** A label to print and stick on the item. Only the label is printed, not the page around it. */
export function LabelDialog({ row, onClose }: { row: Row; onClose(): void }) {
  const address = buildLabelAddress(row.id);
  const name = String(row.label ?? row.name);
  return (
    <Dialog title={t("ci.label")} onClose={onClose}>
      <div className="ci-label" data-print>
        <QrCode text={address} label={t("ci.labelCode", { address })} />
        <div>
          <b>{name}</b>
          <span>{readReference(row.product)?.name}</span>
          <span className="numbers">{address.replace(/^https?:\/\//, "")}</span>
        </div>
      </div>
      <Button mt="md" leftSection={<Icon of={IconPrinter} />} onClick={() => window.print()} data-autofocus>
        {t("ci.print")}
      </Button>
    </Dialog>
  );
}
