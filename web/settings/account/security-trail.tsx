import { Box, Button, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { deriveLabel } from "../../../records/languages/derive-label.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";

const formatDetail = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(formatDetail).join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** What happened to whom, newest first. */
export function SecurityTrailScreen() {
  const { account } = useCurrentAccount();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [account.id, "trail"],
    queryFn: ({ pageParam }) => administrationApi(account.id).trail({ per_page: "50", search_after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const lines = data?.pages.flatMap((page) => page.rows);
  return (
    <div>
      <PageHeader title={t("trail.title")} lead={t("trail.lead", { account: account.name })} />
      <Box className="card">
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
              { label: t("trail.address"), cell: ({ address }) => address ?? "" },
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
      </Box>
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("trail.older")}
        </Button>
      )}
    </div>
  );
}
