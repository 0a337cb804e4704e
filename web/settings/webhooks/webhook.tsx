import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { EditIcon } from "../../parts/icons.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useRecord } from "../../queries/index.ts";
import type { Webhook } from "../../wire.ts";
import { Deliveries } from "./deliveries.tsx";
import { StateBadge } from "./state-badge.tsx";

/** One webhook: its state, what is wrong with it, its fields, and everything that was sent. */
export function WebhookScreen({ id }: { id: number }) {
  const { account, api } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const queries = useQueryClient();
  const record = useRecord(webhookType, String(id));
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "webhooks", id],
    queryFn: () => calls.webhook(id),
    refetchInterval: 5000,
  });
  const act = useMutation({
    mutationFn: (what: "test" | "resend") =>
      what === "test" ? api.act(`/webhooks/${id}/test`) : calls.resendVerification(id),
    onSuccess: async (_answer, what) => {
      showMessage(t(`webhooks.${what}Done`));
      await queries.invalidateQueries({ queryKey: [account.id, "webhooks", id] });
    },
    onError: showError,
  });
  const failure = error ?? record.error;
  if (failure !== null) return <ErrorMessage error={failure} retry={() => void refetch()} />;
  if (data === undefined || record.data === undefined) return <LoadingSkeleton rows={10} />;
  return (
    <div>
      <PageHeader
        title={data.name}
        trail={[{ label: t("webhooks.title"), path: paths.list(account.id, webhookType) }]}
        beside={<StateBadge state={data.state} />}
        actions={
          <>
            <Button variant="default" loading={act.isPending} onClick={() => act.mutate("test")}>
              {t("webhooks.test")}
            </Button>
            {!data.verified && (
              <Button variant="default" loading={act.isPending} onClick={() => act.mutate("resend")}>
                {t("webhooks.resend")}
              </Button>
            )}
            <Button leftSection={<EditIcon size={16} />} {...linkTo(paths.edit(account.id, webhookType, id))}>
              {t("record.edit")}
            </Button>
            <RecordActions type={webhookType} row={record.data} name={data.name} />
          </>
        }
      />
      <WebhookProblems webhook={data} />
      <RecordDetails type={webhookType} row={record.data} />
      <Deliveries webhook={data} />
      <AuditTrail type={webhookType} path={`/webhooks/${id}`} />
    </div>
  );
}

/** Colours say the kind; the words are black on light, whatever the colour. */
const readableAlert = {
  title: { color: "var(--mantine-color-text)" },
  message: { color: "var(--mantine-color-text)" },
};

function WebhookProblems({ webhook }: { webhook: Webhook }) {
  const { verified, disabled_reason, last_error, failures } = webhook;
  return (
    <Stack mb="md">
      {!verified && (
        <Alert color="yellow" styles={readableAlert} title={t("webhooks.unverified")}>
          {t("webhooks.unverifiedLead")}
        </Alert>
      )}
      {disabled_reason !== null && (
        <Alert color="red" styles={readableAlert} title={t("webhooks.wasDisabled")}>
          {disabled_reason}
        </Alert>
      )}
      {last_error !== null && (
        <Alert color="red" styles={readableAlert} title={t("webhooks.lastError")}>
          {last_error}
          <Text size="sm">{t("webhooks.failures", { count: failures })}</Text>
        </Alert>
      )}
    </Stack>
  );
}
