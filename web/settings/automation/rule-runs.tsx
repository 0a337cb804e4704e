import { Accordion, Badge, Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import type { RuleOutcome, RuleRun } from "../../wire.ts";

const pageSize = 100;

/** What a rule did, newest first. */
export function RuleRuns({ id }: { id: number }) {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [account.id, "runs", id],
    queryFn: ({ pageParam }) =>
      api.get<RuleRun[]>(`/automation_rules/${id}/runs`, pageParam === "" ? {} : { before: pageParam }),
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < pageSize ? null : String(page.at(-1)?.id)),
  });
  const runs = data?.pages.flat();
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (runs === undefined) return <LoadingSkeleton />;
  if (runs.length === 0) return <EmptyState title={t("rules.noRuns")} />;
  return (
    <>
      <Accordion chevronPosition="left">
        {runs.map((run) => (
          <Accordion.Item key={run.id} value={String(run.id)}>
            <Accordion.Control>
              <Group gap="sm">
                <OutcomeBadge outcome={run.outcome} />
                <span>
                  {run.record_type} {run.record_id}
                </span>
                <Text size="sm" c="dimmed">
                  {run.trigger} · <Timestamp at={run.started_at} /> · {run.person?.name ?? ""}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <RunDetailList {...run} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("rules.older")}
        </Button>
      )}
    </>
  );
}

export const OutcomeBadge = ({ outcome }: { outcome: RuleOutcome }) => (
  <Badge variant={outcome === "failed" ? "outline" : "default"}>{t(`rules.outcome.${outcome}`)}</Badge>
);

type RunDetails = Pick<RuleRun, "expressions" | "condition" | "actions" | "error">;

/** Every expression with its value, whether the condition held, what was done. */
export const RunDetailList = ({ expressions, condition, actions, error }: RunDetails) => (
  <>
    {error !== null && (
      <Text c="var(--mantine-color-error)" className="wrap" mb="sm">
        {error}
      </Text>
    )}
    <dl className="facts">
      {expressions.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="wrap">{value === "" ? t("rules.blank") : value}</dd>
        </div>
      ))}
      {condition !== null && (
        <div>
          <dt>{t("rules.condition")}</dt>
          <dd>{condition === "" ? t("rules.blank") : condition}</dd>
        </div>
      )}
    </dl>
    {actions.length > 0 && (
      <ol>
        {actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <li key={index} className="wrap">
            {action}
          </li>
        ))}
      </ol>
    )}
  </>
);
