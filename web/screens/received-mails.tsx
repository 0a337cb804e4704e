import { Box, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { administration } from "../api.ts";
import { typeNamed } from "../groups.ts";
import { t } from "../languages/index.ts";
import { EmailPolicyForm } from "../parts/email-policy-form.tsx";
import { Empty } from "../parts/empty.tsx";
import { Link } from "../parts/link.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { Rows } from "../parts/rows.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { paths } from "../paths.ts";
import { useHere } from "../session.ts";
import type { ReceivedMail } from "../wire.ts";

/** What people wrote to the account, what became of it, and what is done with it. */
export function ReceivedMailsScreen() {
  const { account } = useHere();
  return (
    <div>
      <PageHeader title={t("received.title")} lead={t("received.lead", { address: `${account.id}@…` })} />
      <Stack gap="lg">
        <Box className="card">
          <List />
        </Box>
        <EmailPolicyForm />
      </Stack>
    </div>
  );
}

function List() {
  const { account } = useHere();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "received mails"],
    queryFn: administration(account.id).receivedMails,
  });
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  if (data.length === 0) return <Empty title={t("received.none")} />;
  return (
    <Rows
      label={t("received.title")}
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        { label: t("received.subject"), cell: ({ subject }) => subject ?? "" },
        { label: t("received.sender"), cell: ({ sender }) => sender ?? "" },
        { label: t("received.when"), cell: ({ received_at }) => <Moment at={received_at} /> },
        { label: t("received.outcome"), cell: (mail) => <Outcome mail={mail} /> },
      ]}
    />
  );
}

function Outcome({ mail: { state, outcome, reason, record_type, record_id } }: { mail: ReceivedMail }) {
  const { account } = useHere();
  const type = record_type === null ? undefined : typeNamed(record_type);
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
