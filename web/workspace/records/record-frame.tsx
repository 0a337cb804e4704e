import { Button } from "@mantine/core";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { Chip } from "../../elements/chip.tsx";
import { isMessage, t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { partLabel } from "../../languages/page-labels.ts";
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
import { useRecord } from "../../queries/index.ts";
import "../../styles/request.css";
import "../../styles/ci.css";
import { formatTotal, type Total } from "../../queries/total.ts";
import { linkQueries } from "../../queries/work/links.ts";
import { useSearchText } from "./use-search-text.ts";

// The frame of a record with its own page: header, tabs, side panel, and the placeholder while it is loading.

type LoadedProps = { type: RecordType; id: string; children(row: Row): ReactNode };

/** A record by its id, or the reason why it isn't shown. */
export function LoadedRecord({ type, id, children }: LoadedProps) {
  const { data, error, refetch } = useRecord(type, id);
  if (data !== undefined) return children(data);
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

/**
 * Whether the reader may change the record here: it belongs to the account, and is neither in the archive nor in the
 * trash.
 */
export function useIsWritable(type: RecordType, row: Row): boolean {
  const { may } = useCurrentAccount();
  return may("update", type) && row.archived !== true && row.trashed !== true && row.account === undefined;
}

export type RecordTab = {
  key: string;
  label: string;
  /** a list below the record, whose length is shown beside the label */
  isList?: true;
  /** the count beside the label of a tab that isn't such a list */
  count?: Total | undefined;
  content(): ReactNode;
};

/** Tabs of the lists below a record: its children, linked records, or search results. */
export function buildListTabs(type: RecordType, row: Row, writable: boolean, keys: readonly string[]): RecordTab[] {
  return keys.flatMap((key): RecordTab[] => {
    const [child, link, list] = [type.children[key], type.links[key], type.lists[key]];
    const of = child?.of ?? link?.to ?? list?.of;
    if (of === undefined) return [];
    // A list may have a special label on the page of a record.
    const own = `tab.${type.name}.${key}`;
    const label = isMessage(own) ? t(own) : partLabel(key, findType(of));
    const path = `/${type.collection}/${row.id}/${key}`;
    const content = () => {
      if (child !== undefined) return <ChildRecords path={path} of={of} writable={writable} allows={child.allows} />;
      if (link !== undefined) return <LinkedRecords path={path} to={of} writable={writable} />;
      return <RelatedList path={path} of={of} label={label} />;
    };
    return [{ key, label, isList: true, content }];
  });
}

export const buildHistoryTab = (type: RecordType, row: Row): RecordTab => ({
  key: "history",
  label: t("ci.history"),
  content: () => <AuditTrail type={type} path={`/${type.collection}/${row.id}`} />,
});

type Props = {
  type: RecordType;
  row: Row;
  name: string;
  /** the header above the tabs; without it, the name is the title of the bar */
  head?: { picture: ReactNode; facts: readonly string[] };
  /** beside the name */
  chips?: ReactNode;
  /** the breadcrumb, if it is more than the type's list */
  trail?: readonly { label: string; path: string }[];
  tabs: readonly [RecordTab, ...RecordTab[]];
  /** a class of the panel below the tabs */
  panelClass?: string;
  side: { label: string; content: ReactNode };
  /** buttons before "Edit"; `compact` ones are icons on a narrow page */
  actions?: readonly (Action & { compact?: true })[];
  /** asks for confirmation before the record is disabled */
  onDisable?: (() => void) | undefined;
  /** dialogs */
  children?: ReactNode;
};

export function RecordFrame({ type, row, name, head, chips, trail, tabs, side, actions = [], ...more }: Props) {
  const { account } = useCurrentAccount();
  const [sideOpen, setSideOpen] = useState(false);
  const hasRoom = useRoomForPanel();
  const edit: Action = {
    ...{ id: `${type.name}.edit`, group: "record", icon: IconPencil, name: t("record.edit"), keys: "e" },
    when: useIsWritable(type, row),
    run: () => navigateTo(paths.edit(account.id, type, row.id)),
  };
  useActions([...actions, edit]);
  const marks = (
    <>
      {chips}
      {row.disabled === true && <Chip tone="red">{t("record.disabled")}</Chip>}
      {row.archived === true && <Chip>{t("record.archived")}</Chip>}
      {row.trashed === true && <Chip tone="red">{t("record.trashed")}</Chip>}
    </>
  );
  return (
    <div className="page ci-page">
      <PageBar
        title={name}
        heading={head === undefined}
        trail={trail ?? [{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        actions={
          <>
            {actions.map((action) => (
              <ActionButton key={action.id} action={action} compact={action.compact === true} />
            ))}
            <ActionButton action={edit} />
            {!hasRoom && (
              <Button variant="default" size="sm" onClick={() => setSideOpen(true)}>
                {side.label}
              </Button>
            )}
            <RecordActions type={type} row={row} name={name} onDisable={more.onDisable} />
          </>
        }
      >
        {head === undefined && marks}
      </PageBar>
      <div className="ci-columns">
        <div className="ci-main">
          {head !== undefined && (
            <header className="ci-head">
              {head.picture}
              <div>
                <div className="ci-head-title">
                  <h1>{name}</h1>
                  {marks}
                </div>
                <p>{head.facts.filter((fact) => fact !== "").join(" · ")}</p>
              </div>
            </header>
          )}
          <TabbedPanel type={type} row={row} name={name} tabs={tabs} panelClass={more.panelClass} />
        </div>
        <SidePanel label={side.label} opened={sideOpen} onClose={() => setSideOpen(false)}>
          {side.content}
        </SidePanel>
      </div>
      {more.children}
    </div>
  );
}

/** The lengths of the tabs' lists. */
function useListCounts(type: RecordType, row: Row, tabs: readonly RecordTab[]): Readonly<Record<string, number>> {
  const { api } = useCurrentAccount();
  const lists = tabs.flatMap(({ key, isList }) => (isList === true ? [key] : [])).join(",");
  const { data } = useQuery(linkQueries.counts(api, type.name, row.id, lists));
  return data ?? {};
}

type PanelProps = {
  type: RecordType;
  row: Row;
  name: string;
  tabs: readonly [RecordTab, ...RecordTab[]];
  panelClass: string | undefined;
};

/** The tab is part of the address, so that a link can open it. */
function TabbedPanel({ type, row, name, tabs, panelClass }: PanelProps) {
  const counts = useListCounts(type, row, tabs);
  const [wanted, setWanted] = useSearchText("tab");
  const active = tabs.find(({ key }) => key === wanted) ?? tabs[0];
  const open = (tab: RecordTab) => setWanted(tab === tabs[0] ? undefined : tab.key);
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(tabs.indexOf(active) + by + tabs.length) % tabs.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    open(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={name} className="tabs ci-tabs" onKeyDown={step} tabIndex={-1}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            className="tab"
            data-key={tab.key}
            aria-selected={tab === active}
            tabIndex={tab === active ? 0 : -1}
            onClick={() => open(tab)}
          >
            {tab.label}
            <TabCount count={tab.count ?? { total: counts[tab.key] ?? 0, isTotalOld: false }} />
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={active.label} className={panelClass}>
        {active.content()}
      </div>
    </>
  );
}

const TabCount = ({ count }: { count: Total }) =>
  count.total > 0 && <span className="tab-count numbers">{formatTotal(count)}</span>;
