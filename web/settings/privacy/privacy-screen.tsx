import { Anchor, Progress } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { PrivacyJob } from "../../api/privacy.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { privacyQueries } from "../../queries/settings/privacy.ts";
import { PersonData } from "./person-data.tsx";
import { RetentionTable } from "./retention-table.tsx";
import "../../styles/areas/exchange.css";
import "../../styles/areas/privacy.css";

/** The data stored about a person, and the account's retention periods. */
export function PrivacyScreen() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...privacyQueries.jobs(api),
    refetchInterval: ({ state }) => (state.data?.rows.some((job) => job.finished_at === null) ? 700 : false),
  });
  return (
    <div className="page">
      <PageBar title={t("privacy.title")} trail={[{ label: t("menu.settings"), path: paths.settings(account.id) }]} />
      <div className="page-body exchange">
        <PersonData onStarted={() => void queries.invalidateQueries({ queryKey: privacyQueries.jobs(api).queryKey })} />
        <section aria-label={t("privacy.jobs")}>
          <h2 className="settings-title">{t("privacy.jobs")}</h2>
          <div className="card">
            {error !== null ? (
              <ErrorPanel error={error} retry={() => void refetch()} />
            ) : data === undefined ? (
              <LoadingSkeleton />
            ) : data.rows.length === 0 ? (
              <EmptyState title={t("privacy.noJobs")} />
            ) : (
              <SimpleTable
                label={t("privacy.jobs")}
                rows={data.rows}
                keyOf={({ token }) => token}
                columns={[
                  { label: t("privacy.what"), cell: ({ kind }) => t(`privacy.kind.${kind}`) },
                  { label: t("privacy.person"), cell: ({ subject }) => subject?.name ?? "" },
                  { label: t("exchange.state"), cell: (job) => <JobState job={job} /> },
                  { label: t("exchange.by"), cell: ({ person }) => person?.name ?? "" },
                  { label: t("exchange.when"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
                ]}
              />
            )}
          </div>
        </section>
        <RetentionTable />
      </div>
    </div>
  );
}

function JobState({ job }: { job: PrivacyJob }) {
  if (job.finished_at === null)
    return (
      <div className="privacy-progress">
        <Progress
          value={job.total === 0 ? 0 : (job.done / job.total) * 100}
          aria-label={t(`privacy.kind.${job.kind}`)}
        />
        <span className="quiet numbers">{t("privacy.steps", { done: job.done, total: job.total })}</span>
      </div>
    );
  if (job.state === "failed") return <Chip tone="red">{t("exchange.failed")}</Chip>;
  return job.url === undefined ? (
    <Chip tone="green">{t("exchange.done")}</Chip>
  ) : (
    <Anchor href={job.url} size="sm">
      {t("exchange.download")}
    </Anchor>
  );
}
