import { Box, Button, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { labelOf } from "../../records/languages/label-of.ts";
import { administration } from "../api.ts";
import { t } from "../languages/index.ts";
import { Empty } from "../parts/empty.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { Rows } from "../parts/rows.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useHere } from "../session.ts";

const pageSize = 50;

const inWords = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(inWords).join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** What happened to whom, newest first. */
export function TrailScreen() {
  const { account } = useHere();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [account.id, "trail"],
    queryFn: ({ pageParam }) => administration(account.id).trail(pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
  });
  const lines = data?.pages.flat();
  return (
    <div>
      <PageHeader title={t("trail.title")} lead={t("trail.lead", { account: account.name })} />
      <Box className="card">
        {error !== null ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : lines === undefined ? (
          <Waiting />
        ) : lines.length === 0 ? (
          <Empty title={t("trail.none")} />
        ) : (
          <Rows
            label={t("trail.title")}
            rows={lines}
            keyOf={({ id }) => id}
            columns={[
              { label: t("trail.event"), cell: ({ event }) => labelOf(event.replaceAll("-", "_")) },
              { label: t("trail.when"), cell: ({ created_at }) => <Moment at={created_at} /> },
              {
                label: t("trail.person"),
                cell: ({ person }) => (person === null ? "" : (person.name ?? `#${person.id}`)),
              },
              { label: t("trail.address"), cell: ({ address }) => address ?? "" },
              {
                label: t("trail.details"),
                cell: ({ details }) =>
                  Object.entries(details)
                    .filter(([, value]) => value !== null && inWords(value) !== "")
                    .map(([name, value]) => (
                      <Text key={name} size="sm" className="wrap">
                        <Text span c="dimmed" inherit>
                          {labelOf(name)}:{" "}
                        </Text>
                        {inWords(value)}
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
