import { Button } from "@mantine/core";
import IconPrinter from "@tabler/icons-react/dist/esm/icons/IconPrinter.mjs";
import encodeQR from "qr";
import type { Row } from "../../api.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";

/** D-360: the short address of an item, which a label says. */
const buildLabelAddress = (id: number): string => `${location.origin}/q/${id}`;

/** One path for all black squares. */
const drawSquares = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : []))).join("");

/** A label to print and stick on the item. Only the label is printed, not the page around it. */
export function LabelDialog({ row, onClose }: { row: Row; onClose(): void }) {
  const address = buildLabelAddress(row.id);
  const rows = encodeQR(address, "raw", { ecc: "quartile", border: 2 });
  const name = String(row.label ?? row.name);
  return (
    <Dialog title={t("ci.label")} onClose={onClose}>
      <div className="ci-label" data-print>
        <svg
          viewBox={`0 0 ${rows.length} ${rows.length}`}
          role="img"
          aria-label={t("ci.labelCode", { address })}
          shapeRendering="crispEdges"
        >
          <rect width={rows.length} height={rows.length} className="ci-label-ground" />
          <path d={drawSquares(rows)} className="ci-label-squares" />
        </svg>
        <div>
          <b>{name}</b>
          <span>{(row.product as { name?: string } | null)?.name}</span>
          <span className="numbers">{address.replace(/^https?:\/\//, "")}</span>
        </div>
      </div>
      <Button mt="md" leftSection={<Icon of={IconPrinter} />} onClick={() => window.print()} data-autofocus>
        {t("ci.print")}
      </Button>
    </Dialog>
  );
}
