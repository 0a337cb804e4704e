import { Box, Button, Group } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import type { DeadJob } from "../../wire.ts";

/** The kinds of jobs that people can make something of. */
const knownKinds = [
  ...(["import", "export", "bulk change", "received mail"] as const),
  ...(["mail", "mail digest", "automation", "timer"] as const),
];

const describeKind = ({ kind }: DeadJob): string =>
  t(`jobs.kind.${knownKinds.find((known) => known === kind) ?? "other"}`);

/** Jobs that failed too often: run them again, or give them up. */
export function FailedJobsScreen() {
  return (
    <div>
      <PageHeader title={t("jobs.title")} lead={t("jobs.lead")} />
      <FailedJobs />
    </div>
  );
}

function FailedJobs() {
  const { account } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const queries = useQueryClient();
  const key = [account.id, "dead jobs"];
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => calls.deadJobs({ per_page: "50", search_after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const [asking, setAsking] = useState<DeadJob | null>(null);
  const retry = useMutation({
    mutationFn: ({ id }: DeadJob) => calls.retryDeadJob(id),
    onSuccess: () => {
      showMessage(t("jobs.retried"));
      return queries.invalidateQueries({ queryKey: key });
    },
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: ({ id }: DeadJob) => calls.deleteDeadJob(id),
    onSuccess: () => {
      showMessage(t("jobs.deleted"));
      return queries.invalidateQueries({ queryKey: key });
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  const jobs = data?.pages.flatMap((page) => page.rows);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (jobs === undefined) return <LoadingSkeleton />;
  if (jobs.length === 0) return <EmptyState title={t("jobs.none")} lead={t("jobs.noneLead")} />;
  return (
    <>
      <Box className="card">
        <SimpleTable
          label={t("jobs.title")}
          rows={jobs}
          keyOf={({ id }) => id}
          columns={[
            { label: t("jobs.kind"), cell: describeKind },
            { label: t("jobs.error"), cell: ({ error: reason }) => reason ?? "" },
            { label: t("jobs.attempts"), cell: ({ attempts }) => attempts },
            { label: t("jobs.when"), cell: ({ dead_at }) => <Timestamp at={dead_at} /> },
          ]}
          actions={(job) => (
            <Group gap={8} wrap="nowrap">
              <Button
                variant="default"
                size="xs"
                loading={retry.isPending && retry.variables.id === job.id}
                aria-label={t("jobs.retryName", { kind: describeKind(job) })}
                onClick={() => retry.mutate(job)}
              >
                {t("jobs.retry")}
              </Button>
              <Button
                variant="default"
                size="xs"
                aria-label={t("jobs.deleteName", { kind: describeKind(job) })}
                onClick={() => setAsking(job)}
              >
                {t("jobs.delete")}
              </Button>
            </Group>
          )}
        />
      </Box>
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("jobs.older")}
        </Button>
      )}
      {asking !== null && (
        <ConfirmDialog
          title={t("jobs.deleteTitle")}
          lead={t("jobs.deleteLead")}
          action={t("jobs.delete")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
