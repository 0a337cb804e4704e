import { Button, Select, Text, TextInput } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { deriveLabel } from "../../../records/languages/derive-label.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { formatNumber } from "../../formats.ts";
import { type MessageKey, t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { ReferencePicker } from "../../parts/forms/reference-picker.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { AuditTabs } from "./audit-tabs.tsx";
import { exportTrail } from "./export-trail.ts";
import "../../styles/settings/audit.css";

const formatDetail = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(formatDetail).join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** Events that belong together, as people ask for them. */
const eventGroups: Readonly<Record<string, readonly string[]>> = {
  signIns: ["sign-in", "sign-in-failed", "emergency-sign-in", "sign-out", "session-ended"],
  passwords: [
    ...["password-changed", "password-reset-requested"],
    ...["second-factor-enabled", "second-factor-removed", "second-factor-failed"],
    ...["recovery-code-used", "recovery-codes-renewed"],
    ...["passkey-added", "passkey-removed", "passkey-refused", "identity-proven"],
  ],
  tokens: ["token-created", "token-deleted", "refresh-token-used-twice", "code-used-twice"],
  applications: [
    ...["application-created", "application-changed", "application-deleted"],
    ...["client-created", "client-changed", "client-deleted"],
    ...["authorization-given", "authorization-denied", "authorization-revoked"],
  ],
  roles: ["roles-changed", "person-disabled"],
  account: ["account-created", "account-changed", "email-policy-changed", "sign-in-policy-changed"],
};

type TrailAddress = { events?: string; person?: string; since?: string };

/** What happened to whom, newest first: sign-ins, tokens, applications, roles. */
export function SecurityTrailScreen() {
  const { account } = useCurrentAccount();
  const address = useSearch({ strict: false }) as TrailAddress;
  const navigate = useNavigate();
  const set = (changed: TrailAddress) => {
    const next = Object.fromEntries(Object.entries({ ...address, ...changed }).filter(([, value]) => value));
    void navigate({ to: ".", search: next as never, replace: true });
  };
  const query = {
    event: address.events === undefined ? undefined : eventGroups[address.events]?.join(","),
    person: address.person,
    since: address.since === undefined ? undefined : new Date(`${address.since}T00:00:00`).toISOString(),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [account.id, "trail", query],
    queryFn: ({ pageParam }) =>
      administrationApi(account.id).trail({ ...query, per_page: "50", search_after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const lines = data?.pages.flatMap((page) => page.rows);
  const [exporting, setExporting] = useState(false);
  const save: Action = {
    ...{ id: "trail.export", name: t("audit.export"), keys: "shift+e", icon: IconDownload, group: "list" },
    async run() {
      setExporting(true);
      try {
        const { count, isComplete } = await exportTrail(account.id, query);
        showMessage(t(isComplete ? "audit.exported" : "audit.exportedPart", { count: formatNumber(count) }));
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
        <AuditTabs active="security" />
      </PageBar>
      <div className="audit-bar">
        <div className="audit-filters">
          <ReferencePicker
            aria-label={t("audit.by")}
            to="person"
            value={address.person === undefined ? null : { id: Number(address.person) }}
            onChange={(person) => set({ person: person === null ? "" : String(person.id) })}
          />
          <Select
            aria-label={t("trail.event")}
            placeholder={t("trail.anyEvent")}
            clearable
            data={Object.keys(eventGroups).map((value) => ({ value, label: t(`trail.group.${value}` as MessageKey) }))}
            value={address.events ?? null}
            onChange={(events) => set({ events: events ?? "" })}
          />
          <TextInput
            type="date"
            aria-label={t("audit.since")}
            value={address.since ?? ""}
            onChange={(event) => set({ since: event.currentTarget.value })}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by keyboard */}
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
              { label: t("trail.event"), cell: ({ event }) => deriveLabel(event.replaceAll("-", "_")) },
              { label: t("trail.when"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
              {
                label: t("trail.person"),
                cell: ({ person }) => (person === null ? "" : (person.name ?? `#${person.id}`)),
              },
              { label: t("trail.address"), cell: ({ address: from }) => from ?? "" },
              {
                label: t("trail.details"),
                cell: ({ details }) =>
                  Object.entries(details)
                    .filter(([, value]) => value !== null && formatDetail(value) !== "")
                    .map(([name, value]) => (
                      <Text key={name} size="sm" className="wrap">
                        <Text span c="dimmed" inherit>
                          {deriveLabel(name)}:{" "}
                        </Text>
                        {formatDetail(value)}
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
