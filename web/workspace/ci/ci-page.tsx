import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconQrcode from "@tabler/icons-react/dist/esm/icons/IconQrcode.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { product as productType } from "../../../records/configuration/product.ts";
import { productCategory } from "../../../records/configuration/product-category.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import type { Action } from "../../actions/action.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { getReferenceName, type Reference, readReference } from "../../queries/reference.ts";
import { itemQueries } from "../../queries/workspace/items.ts";
import { buildHistoryTab, buildListTabs, LoadedRecord, RecordFrame, useIsWritable } from "../records/record-frame.tsx";
import { CiOverview } from "./ci-overview.tsx";
import { CiSide } from "./ci-side.tsx";
import { FaultDialog } from "./fault-dialog.tsx";
import { itemIcon } from "./item-icon.ts";
import { WorkflowChip } from "./open-work.tsx";
import { pickStatusTone } from "./status-tones.ts";

const LabelDialog = lazyDialog(async () => (await import("./label-dialog.tsx")).LabelDialog);

// The page of a configuration item: its data, its relations, and its open work.

export const CiScreen = ({ type, id }: { type: RecordType; id: string }) => (
  <LoadedRecord type={type} id={id}>
    {(row) => <CiPage type={type} row={row} />}
  </LoadedRecord>
);

/** The lists below an item that have a tab, most used first. */
const tabKeys = ["ci_relations", "requests", "problems", "tasks", "contracts", "users", "service_instances"];

type ProductReference = Reference & { brand?: string; category?: string };
const isProduct = (value: unknown): value is ProductReference => readReference(value) !== null;

type OpenDialog = "label" | "fault";

function CiPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, api, may } = useCurrentAccount();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const away = row.archived === true || row.trashed === true;
  const open = (wanted: OpenDialog) => () => setDialog(wanted);
  // biome-ignore format: a table keeps its columns
  const actions: readonly (Action & { compact?: true })[] = [
    { id: "ci.label", group: "record", icon: IconQrcode,      name: t("ci.label"), run: open("label"), compact: true },
    { id: "ci.fault", group: "record", icon: IconAlertCircle, name: t("ci.fault"), keys: "c", run: open("fault"), when: may("create", request) && !away },
  ];
  const product: ProductReference = isProduct(row.product) ? row.product : { id: 0 };
  // Undefined while loading, and for readers without permission.
  const [category] = useQuery(itemQueries.productCategory(api, product.category)).data ?? [];
  const trail = [
    { label: t("menu.assets"), path: paths.list(account.id, type) },
    ...(category === undefined
      ? []
      : [{ label: category.localized_name, path: paths.record(account.id, productCategory, category.id) }]),
    { label: getReferenceName(product), path: paths.record(account.id, productType, product.id) },
  ];
  const site = readReference(row.site);
  const status = String(row.status);
  const overview = { key: "overview", label: t("ci.overview"), content: () => <CiOverview type={type} row={row} /> };
  return (
    <RecordFrame
      type={type}
      row={row}
      name={String(row.label ?? row.name)}
      trail={trail}
      head={{
        picture: (
          <span className="ci-head-icon">
            <Icon of={itemIcon(product.category)} size={22} />
          </span>
        ),
        facts: [
          getReferenceName(product),
          product.brand ?? "",
          [site === null ? "" : getReferenceName(site), String(row.location ?? "")].filter(Boolean).join(", "),
        ],
      }}
      chips={
        <>
          <Chip tone={pickStatusTone(status)}>{choiceLabel("ci.status", status)}</Chip>
          <WorkflowChip id={row.id} />
        </>
      }
      tabs={[overview, ...buildListTabs(type, row, useIsWritable(type, row), tabKeys), buildHistoryTab(type, row)]}
      side={{ label: t("record.details"), content: <CiSide type={type} row={row} /> }}
      actions={actions}
    >
      {dialog === "fault" && <FaultDialog row={row} onClose={() => setDialog(null)} />}
      {dialog === "label" && <LabelDialog row={row} onClose={() => setDialog(null)} />}
    </RecordFrame>
  );
}
