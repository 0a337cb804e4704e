import { Button } from "@mantine/core";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { FieldValue } from "../../fields/field-value.tsx";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel, fieldLabel, partLabel } from "../../languages/labels.ts";
import { Chip } from "../../parts/chip.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { PropertyRow } from "../../parts/property-row.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { ChildRecords } from "../../parts/records/child-records.tsx";
import { LinkedRecords } from "../../parts/records/linked-records.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { RelatedList } from "../../parts/records/related-list.tsx";
import { SidePanel, useRoomForPanel } from "../../parts/side-panel.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { paths } from "../../paths.ts";
import { useRecord } from "../../queries/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { findType } from "../../record-types.ts";
import "../../styles/request.css";
import "../../styles/ci.css";
import "../../styles/settings/people.css";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";

const PersonRights = lazyPart(async () => (await import("./person-rights.tsx")).PersonRights);

// The page of a person: who is it, where do they belong, what may they do and why?

export function PersonScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (data !== undefined) return <PersonPage type={type} row={data} />;
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound type={type} id={id} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  return <SkeletonRows rows={10} />;
}

const overviewTab = "overview";
/** Lists below a person that have a tab, in the order of their use; the rights come after the teams. */
const tabKeys = ["teams", "skill_pools", "cis", "sla_coverages", "out_of_office_periods", "contacts", "addresses"];

type Tab = { key: string; label: string; content: () => ReactNode };

function buildTabs(type: RecordType, row: Row, writable: boolean, mayAsk: boolean): Tab[] {
  const base = `/${type.collection}/${row.id}`;
  const name = String(row.name);
  const below = tabKeys.flatMap((key): Tab[] => {
    const [child, link, list] = [type.children[key], type.links[key], type.lists[key]];
    const of = child?.of ?? link?.to ?? list?.of;
    if (of === undefined) return [];
    const [label, path] = [partLabel(key, findType(of)), `${base}/${key}`];
    const content = () =>
      child !== undefined ? (
        <ChildRecords path={path} of={of} writable={writable} allows={child.allows} />
      ) : link !== undefined ? (
        <LinkedRecords path={path} to={of} writable={writable} />
      ) : (
        <RelatedList path={path} of={of} label={label} />
      );
    return [{ key, label, content }];
  });
  const rights: Tab = {
    key: "rights",
    label: t("rights.tab"),
    content: () => (
      <Suspense fallback={<LoadingSkeleton rows={8} />}>
        <PersonRights person={row.id} name={name} />
      </Suspense>
    ),
  };
  return [
    {
      key: overviewTab,
      label: t("ci.overview"),
      content: () => <RecordDetails type={type} row={row} writable={writable} />,
    },
    ...below.slice(0, 2),
    ...(mayAsk ? [rights] : []),
    ...below.slice(2),
    { key: "audit", label: t("ci.history"), content: () => <AuditTrail type={type} path={base} /> },
  ];
}

function PersonPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, who, may, isAdministrator } = useCurrentAccount();
  const { tab = overviewTab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const [side, setSide] = useState(false);
  const hasRoom = useRoomForPanel();
  const away = row.archived === true || row.trashed === true;
  const writable = may("update", type) && !away && row.account === undefined;
  const tabs = buildTabs(type, row, writable, isAdministrator || row.id === who.person.id);
  const active = tabs.find(({ key }) => key === tab) ?? (tabs[0] as Tab);
  const name = String(row.name);
  const edit = {
    ...{ id: "person.edit", group: "record", icon: IconPencil, name: t("record.edit"), keys: "e", when: writable },
    run: () => navigateTo(paths.edit(account.id, type, row.id)),
  } as const satisfies Action;
  useActions([edit]);
  const organization = row.organization as Reference | null;
  const site = row.site as Reference | null;
  const facts = [
    String(row.job_title ?? ""),
    organization === null || organization === undefined ? "" : getReferenceName(organization),
    site === null || site === undefined ? "" : getReferenceName(site),
  ];
  return (
    <div className="page ci-page">
      <PageBar
        title={name}
        heading={false}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        actions={
          <>
            <ActionButton action={edit} />
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
            <Avatar person={{ id: row.id, name, picture_uri: row.picture_uri as string | null }} size={52} silent />
            <div>
              <div className="ci-head-title">
                <h1>{name}</h1>
                {row.vip === true && <Chip tone="violet">{fieldLabel("vip")}</Chip>}
                {row.disabled === true && <Chip tone="red">{t("record.disabled")}</Chip>}
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
          <PersonSide type={type} row={row} />
        </SidePanel>
      </div>
    </div>
  );
}

const sideGroups: readonly (readonly string[])[] = [
  ["primary_email", "manager", "organization", "site", "location"],
  ["locale", "time_zone", "work_hours"],
  ["employeeID", "supportID", "source", "sourceID"],
];

function PersonSide({ type, row }: { type: RecordType; row: Row }) {
  const hasValue = (name: string) => row[name] !== null && row[name] !== undefined && row[name] !== "";
  return (
    <div className="ci-side">
      {sideGroups
        .map((names) => names.filter((name) => hasValue(name) && name in type.fields))
        .filter((names) => names.length > 0)
        .map((names) => (
          <div key={names[0]} className="ci-side-group">
            {names.map((name) => (
              <PropertyRow key={name} label={fieldLabel(name)}>
                <FieldValue name={name} field={type.fields[name] as Field} row={row} />
              </PropertyRow>
            ))}
          </div>
        ))}
    </div>
  );
}
