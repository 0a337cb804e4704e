import { Box, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReceivedMail } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { emailQueries } from "../../queries/settings/email.ts";
import { EmailPolicyForm } from "./email-policy-form.tsx";

/** Received emails, their results, and how the account handles them. */
export function ReceivedMailsScreen() {
  const { account } = useCurrentAccount();
  return (
    <div>
      <PageHeader title={t("received.title")} lead={t("received.lead", { address: `${account.id}@…` })} />
      <Stack gap="lg">
        <Box className="card">
          <ReceivedMailList />
        </Box>
        <EmailPolicyForm />
      </Stack>
    </div>
  );
}

function ReceivedMailList() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(emailQueries.received(api));
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton />;
  if (data.length === 0) return <EmptyState title={t("received.none")} lead={t("received.noneLead")} />;
  return (
    <SimpleTable
      label={t("received.title")}
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        { label: t("received.subject"), cell: ({ subject }) => subject ?? "" },
        { label: t("received.sender"), cell: ({ sender }) => sender ?? "" },
        { label: t("received.when"), cell: ({ received_at }) => <Timestamp at={received_at} /> },
        { label: t("received.outcome"), cell: (mail) => <MailOutcome mail={mail} /> },
      ]}
    />
  );
}

function MailOutcome({ mail: { state, outcome, reason, record_type, record_id } }: { mail: ReceivedMail }) {
  const { account } = useCurrentAccount();
  const type = record_type === null ? undefined : findType(record_type);
  const words =
    outcome === null
      ? t(state === "failed" ? "received.failed" : "received.waiting")
      : t(`received.outcome.${outcome}`);
  return (
    <>
      {type === undefined || record_id === null ? (
        words
      ) : (
        <Link to={paths.record(account.id, type, record_id)}>{`${words} ${record_id}`}</Link>
      )}
      {reason !== null && (
        <Text size="sm" c="dimmed" className="wrap">
          {reason}
        </Text>
      )}
    </>
  );
}
