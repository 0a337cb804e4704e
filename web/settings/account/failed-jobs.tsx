import { Box, Button, Group } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { accountSettingsQueries, type DeadJob } from "../../queries/settings/account.ts";

/** The kinds of jobs with a readable name. */
const knownKinds = [
  ...(["import", "export", "bulk change", "received mail"] as const),
  ...(["mail", "mail digest", "automation", "timer"] as const),
];

const describeKind = ({ kind }: DeadJob): string =>
  t(`jobs.kind.${knownKinds.find((known) => known === kind) ?? "other"}`);

/** Jobs that failed too often: retry or discard them. */
export function FailedJobsScreen() {
  return (
    <div>
      <PageHeader title={t("settings.jobs")} lead={t("jobs.lead")} />
      <FailedJobs />
    </div>
  );
}

function FailedJobs() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    accountSettingsQueries.deadJobs(api),
  );
  const refresh = () => queries.invalidateQueries({ queryKey: accountSettingsQueries.deadJobs(api).queryKey });
  const [asking, setAsking] = useState<DeadJob | null>(null);
  const retry = useMutation({
    mutationFn: ({ id }: DeadJob) => api.call("POST /dead_jobs/:job/retry", { job: id }),
    onSuccess: () => {
      showMessage(t("jobs.retried"));
      return refresh();
    },
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: ({ id }: DeadJob) => api.call("DELETE /dead_jobs/:job", { job: id }),
    onSuccess: () => {
      showMessage(t("jobs.deleted"));
      return refresh();
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
          label={t("settings.jobs")}
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
