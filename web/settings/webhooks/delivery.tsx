import { Box, Button, Code, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import type { Attempt } from "../../wire.ts";
import { settingsPaths } from "../settings-paths.ts";
import { StateBadge } from "./state-badge.tsx";

/** One message: what was sent, and every answer to it. */
export function DeliveryScreen({ webhook, id }: { webhook: number; id: number }) {
  const { account } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const queries = useQueryClient();
  const key = [account.id, "webhooks", webhook, "delivery", id];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => calls.delivery(webhook, id),
    refetchInterval: 5000,
  });
  const again = useMutation({
    mutationFn: () => calls.redeliver(webhook, { ids: [id] }),
    onSuccess: async ({ redelivered }) => {
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      await queries.invalidateQueries({ queryKey: key });
    },
    onError: showError,
  });
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={10} />;
  return (
    <div>
      <PageHeader
        title={data.kind === "test" ? t("webhooks.testOf", { event: data.event }) : data.event}
        lead={data.uuid}
        trail={[
          { label: t("webhooks.title"), path: paths.list(account.id, webhookType) },
          { label: t("webhooks.deliveries"), path: settingsPaths.webhook(account.id, webhook) },
        ]}
        beside={<StateBadge state={data.state} />}
        actions={
          data.kind !== "verify" && (
            <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
              {t("webhooks.redeliver")}
            </Button>
          )
        }
      />
      {data.reason !== null && <Text mb="md">{data.reason}</Text>}
      {data.next_try_at !== null && (
        <Text mb="md">
          {t("webhooks.nextTry")}: <Timestamp at={data.next_try_at} />
        </Text>
      )}
      <Title order={2} size="h4" mb="sm">
        {t("webhooks.request")}
      </Title>
      <Code block className="wrap" mb="xs" tabIndex={0}>
        {data.link ?? ""}
      </Code>
      <Code block className="wrap" mb="lg" tabIndex={0}>
        {formatJson(data.body)}
      </Code>
      <Title order={2} size="h4" mb="sm">
        {t("webhooks.attempts")}
      </Title>
      <Stack>
        {data.attempts.map((attempt) => (
          <AttemptResponse key={attempt.number} attempt={attempt} />
        ))}
      </Stack>
    </div>
  );
}

function AttemptResponse({ attempt }: { attempt: Attempt }) {
  const { number, started_at, milliseconds, status, error, headers, body, next_try_at } = attempt;
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <Box className="card" p="md">
      <Text fw={600}>{t("webhooks.attempt", { number, answer: error ?? status ?? "" })}</Text>
      <Text size="sm" c="dimmed">
        <Timestamp at={started_at} /> · {t("webhooks.took", { milliseconds })}
        {next_try_at !== null && (
          <>
            {" "}
            · {t("webhooks.nextTry")}: <Timestamp at={next_try_at} />
          </>
        )}
      </Text>
      {status !== null && (
        <Code block className="wrap" mt="xs" tabIndex={0}>
          {[...lines, "", body ?? ""].join("\n")}
        </Code>
      )}
    </Box>
  );
}

function formatJson(text: string | null): string {
  try {
    return text === null ? "" : JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text ?? "";
  }
}
