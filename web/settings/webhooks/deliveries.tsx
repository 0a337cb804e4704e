import { Box, Button, Checkbox, Group, Select, TextInput, Title } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Link } from "../../parts/link.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import type { Delivery, Webhook } from "../../wire.ts";
import { settingsPaths } from "../settings-paths.ts";
import { StateBadge } from "./state-badge.tsx";

const states = ["waiting", "delivered", "failed", "dropped"] as const;

/** What was sent to a webhook, newest first, and sending it again. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { account } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const queries = useQueryClient();
  const [state, setState] = useState<string | null>(null);
  const [record, setRecord] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [since, setSince] = useState("");
  const key = [account.id, "webhooks", webhook.id, "deliveries"];
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: [...key, state, record],
    queryFn: ({ pageParam }) =>
      calls.deliveries(webhook.id, {
        state: state ?? undefined,
        record: /^\d{1,9}$/.test(record) ? record : undefined,
        per_page: "50",
        search_after: pageParam,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 5000,
  });
  const again = useMutation({
    mutationFn: (wanted: unknown) => calls.redeliver(webhook.id, wanted),
    onSuccess: async ({ redelivered }) => {
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      setChosen(new Set());
      await queries.invalidateQueries({ queryKey: key });
    },
    onError: showError,
  });
  const choose = (id: number, wanted: boolean) => {
    const next = new Set(chosen);
    if (wanted) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <Title order={2} size="h4" mt="xl" mb="sm">
        {t("webhooks.deliveries")}
      </Title>
      <Group align="flex-end" mb="sm">
        <Select
          label={t("webhooks.state")}
          data={states.map((value) => ({ value, label: t(`webhooks.state.${value}`) }))}
          value={state}
          onChange={setState}
          clearable
          w={160}
        />
        <TextInput
          label={t("webhooks.record")}
          value={record}
          onChange={({ currentTarget }) => setRecord(currentTarget.value)}
          inputMode="numeric"
          w={140}
        />
        <Button variant="default" disabled={chosen.size === 0} onClick={() => again.mutate({ ids: [...chosen] })}>
          {t("webhooks.redeliverChosen", { count: chosen.size })}
        </Button>
        <TextInput
          type="datetime-local"
          label={t("webhooks.failedSince")}
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={since === ""}
          onClick={() => again.mutate({ failed_since: new Date(since).toISOString() })}
        >
          {t("webhooks.redeliverFailed")}
        </Button>
      </Group>
      <Box className="card">
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : rows.length === 0 ? (
          <EmptyState title={t("webhooks.noDeliveries")} lead={t("webhooks.noDeliveriesLead")} />
        ) : (
          <SimpleTable
            label={t("webhooks.deliveries")}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                label: t("webhooks.choose"),
                cell: ({ id, uuid, kind }: Delivery) =>
                  kind === "verify" ? (
                    ""
                  ) : (
                    <Checkbox
                      aria-label={t("webhooks.chooseOne", { id: uuid })}
                      checked={chosen.has(id)}
                      onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
                    />
                  ),
              },
              {
                label: t("webhooks.event"),
                cell: ({ id, event, kind }) => (
                  <Link to={settingsPaths.delivery(account.id, webhook.id, id)}>
                    {kind === "test" ? t("webhooks.testOf", { event }) : event}
                  </Link>
                ),
              },
              { label: t("webhooks.record"), cell: ({ record_id }) => record_id ?? "" },
              { label: t("webhooks.state"), cell: ({ state: at }) => <StateBadge state={at} /> },
              { label: t("webhooks.tries"), cell: ({ tries }) => tries },
              { label: t("webhooks.answer"), cell: ({ status, error: failure }) => failure ?? status ?? "" },
              { label: t("webhooks.created"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
              {
                label: t("webhooks.nextTry"),
                cell: ({ next_try_at }) => (next_try_at === null ? "" : <Timestamp at={next_try_at} />),
              },
            ]}
          />
        )}
      </Box>
      {hasNextPage && (
        <Button variant="default" mt="md" onClick={() => void fetchNextPage()}>
          {t("webhooks.older")}
        </Button>
      )}
    </>
  );
}
