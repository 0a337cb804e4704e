import { Badge, Button, Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { EditIcon } from "../../elements/icons.tsx";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { nameRecord, partLabel } from "../../languages/page-labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { ChildRecords } from "../../parts/records/child-records.tsx";
import { LinkedRecords } from "../../parts/records/linked-records.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { RelatedList } from "../../parts/records/related-list.tsx";
import { useRecord } from "../../queries/index.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { getReference } from "../work-item/page-parts.ts";
import { useSearchText } from "./use-search-text.ts";

// One record: its fields, its child records, and its history.

export function GeneratedScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={10} />;
  return <RecordPage type={type} row={data} />;
}

const detailsTab = "details";

/** Types with an additional tab beside the details. */
const ownTabs = {
  calendar: {
    label: "calendarHours.week",
    Content: lazyPart(async () => (await import("../calendar-hours/calendar-week.tsx")).default),
  },
  workflow_template: {
    label: "workflow.graph",
    Content: lazyPart(async () => (await import("../workflow/template-plan.tsx")).default),
  },
  project_template: {
    label: "phases.plan",
    Content: lazyPart(async () => (await import("../project/phases/template-phases.tsx")).default),
  },
} as const;

const hasOwnTab = (name: string): name is keyof typeof ownTabs => name in ownTabs;

function buildOwnTab(name: keyof typeof ownTabs, row: Row, writable: boolean): Tab {
  const { label, Content } = ownTabs[name];
  return {
    key: "plan",
    label: t(label),
    content: () => (
      <Suspense fallback={<LoadingSkeleton rows={6} />}>
        <Content row={row} writable={writable} />
      </Suspense>
    ),
  };
}

type Tab = { key: string; label: string; content: () => ReactNode };

function buildTabs(type: RecordType, row: Row, writable: boolean): [Tab, ...Tab[]] {
  const base = `/${type.collection}/${row.id}`;
  return [
    {
      key: detailsTab,
      label: t("record.details"),
      content: () => <RecordDetails type={type} row={row} writable={writable} />,
    },
    ...(hasOwnTab(type.name) ? [buildOwnTab(type.name, row, writable)] : []),
    ...Object.entries(type.children).map(([key, { of, allows }]) => ({
      key,
      label: partLabel(key, findType(of)),
      content: () => <ChildRecords path={`${base}/${key}`} of={of} writable={writable} allows={allows} />,
    })),
    ...Object.entries(type.links).map(([key, { to }]) => ({
      key,
      label: partLabel(key, findType(to)),
      content: () => <LinkedRecords path={`${base}/${key}`} to={to} writable={writable} />,
    })),
    ...Object.entries(type.lists).map(([key, { of }]) => ({
      key,
      label: partLabel(key, findType(of)),
      content: () => <RelatedList path={`${base}/${key}`} of={of} label={partLabel(key, findType(of))} />,
    })),
    ...(type.storage.journal
      ? []
      : [{ key: "audit", label: t("record.audit"), content: () => <AuditTrail type={type} path={base} /> }]),
  ];
}

function RecordPage({ type, row }: { type: RecordType; row: Row }) {
  const { account, who, may } = useCurrentAccount();
  const [tab = detailsTab] = useSearchText("tab");
  const navigate = useNavigate();
  const away = row.archived === true || row.trashed === true;
  const foreign = getReference(row, "account");
  const home = String(foreign?.id ?? "");
  const writable = may("update", type) && !away && foreign === null;
  const tabs = buildTabs(type, row, writable);
  const active = tabs.find(({ key }) => key === tab) ?? tabs[0];
  const name = nameRecord(type, row);
  const badge = (text: string) => (
    <Badge key={text} variant="default">
      {text}
    </Badge>
  );
  return (
    <div>
      <PageHeader
        title={name}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        beside={
          <>
            {row.disabled === true && badge(t("record.disabled"))}
            {row.archived === true && badge(t("record.archived"))}
            {row.trashed === true && badge(t("record.trashed"))}
            {foreign !== null && badge(t("record.foreign", { account: getReferenceName(foreign) }))}
            {foreign !== null && who.accounts.some(({ id, roles }) => id === home && roles.length > 0) && (
              <Link to={paths.record(home, type, row.id)} size="sm">
                {t("record.openThere")}
              </Link>
            )}
          </>
        }
        actions={
          !type.storage.journal && (
            <>
              {writable && (
                <Button leftSection={<EditIcon size={16} />} {...linkTo(paths.edit(account.id, type, row.id))}>
                  {t("record.edit")}
                </Button>
              )}
              <RecordActions type={type} row={row} name={name} />
            </>
          )
        }
      />
      <Tabs
        value={active.key}
        // Adds a step to the history, unlike the tabs of work items. Routes declare no parameters, so none fits their
        // type.
        onChange={(key) => void navigate({ to: ".", search: (key === detailsTab ? {} : { tab: key }) as never })}
        keepMounted={false}
      >
        {tabs.length > 1 && (
          <Tabs.List mb="md">
            {tabs.map(({ key, label }) => (
              <Tabs.Tab key={key} value={key}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        {tabs.map(({ key, content }) => (
          <Tabs.Panel key={key} value={key}>
            {key === active.key && content()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
