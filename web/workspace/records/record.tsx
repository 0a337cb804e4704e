import { Badge, Button, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { partLabel } from "../../languages/page-labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { EditIcon } from "../../parts/icons.tsx";
import { Link } from "../../parts/link.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { ChildRecords } from "../../parts/records/child-records.tsx";
import { LinkedRecords } from "../../parts/records/linked-records.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { RelatedList } from "../../parts/records/related-list.tsx";
import { paths } from "../../paths.ts";
import { useRecord } from "../../queries/index.ts";
import { findType } from "../../record-types.ts";

// One record: its fields, what hangs below it, and who changed it.

export function GeneratedScreen({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={10} />;
  return <RecordPage type={type} row={data} />;
}

const detailsTab = "details";

/** Types with a tab of their own, beside the details. */
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

function buildTabs(type: RecordType, row: Row, writable: boolean): Tab[] {
  const base = `/${type.collection}/${row.id}`;
  return [
    {
      key: detailsTab,
      label: t("record.details"),
      content: () => <RecordDetails type={type} row={row} writable={writable} />,
    },
    ...(type.name in ownTabs ? [buildOwnTab(type.name as keyof typeof ownTabs, row, writable)] : []),
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
  const { tab = detailsTab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const away = row.archived === true || row.trashed === true;
  const foreign = row.account as { id: string; name: string } | undefined;
  const writable = may("update", type) && !away && foreign === undefined;
  const tabs = buildTabs(type, row, writable);
  const active = tabs.find(({ key }) => key === tab) ?? (tabs[0] as Tab);
  const name = String(row[type.display] ?? row.id);
  const badge = (text: string) => (
    <Badge key={text} variant="default">
      {text}
    </Badge>
  );
  return (
    <div>
      <PageHeader
        title={type.display === "id" ? `#${row.id}` : name}
        trail={[{ label: collectionLabel(type), path: paths.list(account.id, type) }]}
        beside={
          <>
            {row.disabled === true && badge(t("record.disabled"))}
            {row.archived === true && badge(t("record.archived"))}
            {row.trashed === true && badge(t("record.trashed"))}
            {foreign !== undefined && badge(t("record.foreign", { account: foreign.name }))}
            {foreign !== undefined && who.accounts.some(({ id, roles }) => id === foreign.id && roles.length > 0) && (
              <Link to={paths.record(foreign.id, type, row.id)} size="sm">
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
