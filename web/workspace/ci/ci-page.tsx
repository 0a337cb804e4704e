import { Button } from "@mantine/core";
import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconQrcode from "@tabler/icons-react/dist/esm/icons/IconQrcode.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel, collectionLabel, partLabel } from "../../languages/labels.ts";
import { Chip } from "../../parts/chip.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { ChildRecords } from "../../parts/records/child-records.tsx";
import { LinkedRecords } from "../../parts/records/linked-records.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RelatedList } from "../../parts/records/related-list.tsx";
import { SidePanel, useRoomForPanel } from "../../parts/side-panel.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { paths } from "../../paths.ts";
import { useRecord } from "../../queries/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { findType } from "../../record-types.ts";
import type { ToneName } from "../../tokens.ts";
import { CiOverview } from "./ci-overview.tsx";
import { CiSide } from "./ci-side.tsx";
import { FaultDialog } from "./fault-dialog.tsx";
import "../../styles/request.css";
import "../../styles/ci.css";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";

const LabelDialog = lazyPart(async () => (await import("./label-dialog.tsx")).LabelDialog);

// The page of a configuration item: what is it, what hangs on it, and what is going on?

export function CiScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (data !== undefined) return <CiPage type={type} row={data} />;
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

/** Lists below an item that have a tab, in the order of their use. */
const tabKeys = ["ci_relations", "requests", "problems", "tasks", "contracts", "users", "service_instances"];
const overviewTab = "overview";
const historyTab = "history";

type Tab = { key: string; label: string; content: () => ReactNode };

function buildTabs(type: RecordType, row: Row, writable: boolean): Tab[] {
  const base = `/${type.collection}/${row.id}`;
  const below = tabKeys.flatMap((key): Tab[] => {
    const [child, link, list] = [type.children[key], type.links[key], type.lists[key]];
    const of = child?.of ?? link?.to ?? list?.of;
    if (of === undefined) return [];
    const label = partLabel(key, findType(of));
    const path = `${base}/${key}`;
    if (child !== undefined)
      return [
        { key, label, content: () => <ChildRecords path={path} of={of} writable={writable} allows={child.allows} /> },
      ];
    if (link !== undefined)
      return [{ key, label, content: () => <LinkedRecords path={path} to={of} writable={writable} /> }];
    return [{ key, label, content: () => <RelatedList path={path} of={of} label={label} /> }];
  });
  return [
    { key: overviewTab, label: t("ci.overview"), content: () => <CiOverview type={type} row={row} /> },
    ...below,
    { key: historyTab, label: t("ci.history"), content: () => <AuditTrail type={type} path={base} /> },
  ];
}

const statusTones: Readonly<Record<string, ToneName>> = {
  in_production: "green",
  installed: "green",
  broken_down: "red",
  lost_or_stolen: "red",
  in_repair: "orange",
};

type OpenDialog = "label" | "fault";

function CiPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, may } = useCurrentAccount();
  const { tab = overviewTab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [side, setSide] = useState(false);
  const hasRoom = useRoomForPanel();
  const away = row.archived === true || row.trashed === true;
  const foreign = row.account !== undefined;
  const writable = may("update", type) && !away && !foreign;
  const tabs = buildTabs(type, row, writable);
  const active = tabs.find(({ key }) => key === tab) ?? (tabs[0] as Tab);
  const name = String(row.label ?? row.name);
  const edit = () => navigateTo(paths.edit(account.id, type, row.id));
  const open = (wanted: OpenDialog) => () => setDialog(wanted);
  // biome-ignore format: a table keeps its columns
  const actions = {
    label: { id: "ci.label", group: "record", icon: IconQrcode,      name: t("ci.label"),    run: open("label") },
    fault: { id: "ci.fault", group: "record", icon: IconAlertCircle, name: t("ci.fault"),    run: open("fault"), when: may("create", request) && !away },
    edit:  { id: "ci.edit",  group: "record", icon: IconPencil,      name: t("record.edit"), run: edit, keys: "e", when: writable },
  } as const satisfies Record<string, Action>;
  useActions(Object.values(actions));
  const product = row.product as Reference;
  const site = row.site as Reference | null;
  const facts = [getReferenceName(product), site === null ? "" : getReferenceName(site), String(row.location ?? "")];
  const status = String(row.status);
  return (
    <div className="page ci-page">
      <PageBar
        title={name}
        heading={false}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        actions={
          <>
            <ActionButton action={actions.label} compact />
            <ActionButton action={actions.fault} />
            <ActionButton action={actions.edit} />
            {!hasRoom && (
              <Button variant="default" size="sm" onClick={() => setSide(true)}>
                {t("record.details")}
              </Button>
            )}
            <RecordActions type={type} row={row} name={name} />
          </>
        }
      />
      <div className="ci-columns">
        <div className="ci-main">
          <header className="ci-head">
            <span className="ci-head-icon">
              <Icon of={typeIcon("ci")} size={22} />
            </span>
            <div>
              <div className="ci-head-title">
                <h1>{name}</h1>
                <Chip tone={statusTones[status] ?? "grey"}>{choiceLabel("ci.status", status)}</Chip>
                {row.archived === true && <Chip>{t("record.archived")}</Chip>}
                {row.trashed === true && <Chip tone="red">{t("record.trashed")}</Chip>}
              </div>
              <p>{facts.filter((fact) => fact !== "").join(" · ")}</p>
            </div>
          </header>
          <div role="tablist" aria-label={name} className="tabs ci-tabs">
            {tabs.map(({ key, label }) => (
              <button
                key={key}
                type="button"
                role="tab"
                className="tab"
                aria-selected={key === active.key}
                onClick={() =>
                  void navigate({
                    to: ".",
                    search: (key === overviewTab ? {} : { tab: key }) as never,
                    replace: true,
                  })
                }
              >
                {label}
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-label={active.label}>
            {active.content()}
          </div>
        </div>
        <SidePanel label={t("record.details")} opened={side} onClose={() => setSide(false)}>
          <CiSide type={type} row={row} />
        </SidePanel>
      </div>
      {dialog === "fault" && <FaultDialog row={row} onClose={() => setDialog(null)} />}
      {dialog === "label" && (
        <Suspense>
          <LabelDialog row={row} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </div>
  );
}
