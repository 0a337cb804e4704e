import { Button, Text } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconShieldCheck from "@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  listTabEvents,
  type SecurityEventGroup,
  type SecurityEventTab,
  securityEventGroups,
  securityEventTabs,
} from "../../../records/journal/security-events.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { ChipFilters } from "../../parts/lists/chip-filters.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { journalQueries } from "../../queries/settings/audit.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { buildSinceFilter, ChoiceForm, usePersonFilter } from "./audit-filters.tsx";
import { AuditTabs } from "./audit-tabs.tsx";
import { describeDetails, eventLabel } from "./event-details.ts";
import { exportTrail } from "./export-trail.ts";
import "../../styles/settings/audit.css";

/** The limit of the server's count. */
const mostCounted = 10_000;

const isTab = (name: string | undefined): name is SecurityEventTab =>
  name !== undefined && Object.hasOwn(securityEventTabs, name);
const isGroup = (name: string): name is SecurityEventGroup => Object.hasOwn(securityEventGroups, name);

/** All events are offered by groups, those of a tab individually. */
const listChoices = (tab: SecurityEventTab | undefined) =>
  tab === undefined
    ? Object.keys(securityEventGroups)
        .filter(isGroup)
        .map((value) => ({ value, label: t(`trail.group.${value}`) }))
    : listTabEvents(tab).map((value) => ({ value, label: eventLabel(value) }));

const pickEvents = (chosen: string | undefined, tab: SecurityEventTab | undefined): string | undefined =>
  chosen !== undefined
    ? isGroup(chosen)
      ? securityEventGroups[chosen].join(",")
      : chosen
    : tab === undefined
      ? undefined
      : listTabEvents(tab).join(",");

/** Security events, newest first: sign-ins, tokens, applications, roles. */
export function SecurityTrailScreen() {
  const { account, api } = useCurrentAccount();
  // `events`: a group of them, or a single one
  const [address, set] = useAddressSearch("tab", "events", "person", "since");
  const tab = isTab(address.tab) ? address.tab : undefined;
  const choices = listChoices(tab);
  const byPerson = usePersonFilter(address.person);
  const query = {
    event: pickEvents(address.events, tab),
    person: address.person,
    since: address.since === undefined ? undefined : new Date(`${address.since}T00:00:00`).toISOString(),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    journalQueries.securityTrail(api, query),
  );
  const lines = data?.pages.flatMap((page) => page.rows);
  const total = data?.pages[0]?.total;
  const [exporting, setExporting] = useState(false);
  const save: Action = {
    ...{ id: "trail.export", name: t("audit.export"), keys: "shift+e", icon: IconDownload, group: "list" },
    async run() {
      setExporting(true);
      try {
        const { count, isComplete } = await exportTrail(account.id, query);
        showMessage(t(isComplete ? "audit.exported" : "audit.exportedPart", { count }));
      } catch (problem) {
        showError(problem);
      } finally {
        setExporting(false);
      }
    },
  };
  useActions([save]);
  return (
    <div className="page">
      <PageBar title={t("trail.title")} actions={<ActionButton action={save} loading={exporting} />}>
        <AuditTabs active={tab ?? "security"} />
      </PageBar>
      <div className="audit-bar">
        <div className="audit-filters">
          <ChipFilters
            id="trail.filter"
            onChange={(key, value) => set({ [key]: value })}
            filters={[
              byPerson,
              {
                ...{ key: "events", label: t("trail.event"), icon: IconShieldCheck, otherwise: t("audit.any") },
                chosen: choices.find(({ value }) => value === address.events)?.label ?? null,
                form: (apply) => (
                  <ChoiceForm label={t("trail.event")} data={choices} value={address.events} onApply={apply} />
                ),
              },
              buildSinceFilter(address.since),
            ]}
          />
        </div>
        {total !== undefined && (
          <span className="quiet numbers" role="status">
            {t(total >= mostCounted ? "trail.countMost" : "trail.count", { count: total })}
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard */}
      <section className="page-body audit-body" tabIndex={0} aria-label={t("settings.trail")}>
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : lines === undefined ? (
          <LoadingSkeleton />
        ) : lines.length === 0 ? (
          <EmptyState title={t("trail.none")} />
        ) : (
          <SimpleTable
            label={t("trail.title")}
            rows={lines}
            keyOf={({ id }) => id}
            columns={[
              { label: t("trail.event"), cell: ({ event }) => eventLabel(event) },
              { label: t("trail.when"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
              {
                label: t("trail.person"),
                cell: ({ person }) => (person === null ? "" : (person.name ?? `#${person.id}`)),
              },
              { label: t("trail.address"), cell: ({ address: from }) => from ?? "" },
              {
                label: t("trail.details"),
                cell: (entry) =>
                  describeDetails(entry).map(([label, text]) => (
                    <Text key={`${label} ${text}`} size="sm" className="wrap">
                      <Text span c="dimmed" inherit>
                        {t("trail.label", { label })}{" "}
                      </Text>
                      {text}
                    </Text>
                  )),
              },
            ]}
          />
        )}
        {hasNextPage && (
          <Button variant="default" m="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("trail.older")}
          </Button>
        )}
      </section>
    </div>
  );
}
