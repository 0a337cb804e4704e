import { Accordion, Badge, Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { person as personType } from "../../../records/people/person.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Link } from "../../parts/link.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { paths } from "../../paths.ts";
import { findType } from "../../record-types.ts";
import type { Mail } from "../../wire.ts";

const colors = { waiting: "yellow", sent: "teal", failed: "red", gathered: "gray", digested: "teal" } as const;

function Details({ mail }: { mail: Mail }) {
  const { account } = useCurrentAccount();
  const { person, record, error, body } = mail;
  const type = record === null ? undefined : findType(record.type);
  return (
    <>
      {person !== null && (
        <Text size="sm">
          {t("mails.to")} <Link to={paths.record(account.id, personType, person.id)}>{person.name}</Link>
        </Text>
      )}
      {record !== null && type !== undefined && (
        <Text size="sm">
          {t("mails.about")} <Link to={paths.record(account.id, type, record.id)}>{`${record.type} ${record.id}`}</Link>
        </Text>
      )}
      {error !== null && <Text size="sm">{error}</Text>}
      <Text className="text">{body}</Text>
    </>
  );
}

/** What was written to people, and what became of it. */
export function MailsScreen() {
  const { account } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "mails"],
    queryFn: async () => (await administrationApi(account.id).mails({ per_page: "100" })).rows,
  });
  return (
    <div>
      <PageHeader title={t("mails.title")} lead={t("mails.lead")} />
      <Box className="card">
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : data.length === 0 ? (
          <EmptyState title={t("mails.none")} />
        ) : (
          <Accordion chevronPosition="left">
            {data.map((mail) => (
              <Accordion.Item key={mail.id} value={String(mail.id)}>
                <Accordion.Control>
                  <Group gap={8}>
                    {mail.subject}
                    <Badge
                      variant="outline"
                      color={colors[mail.state]}
                      styles={{ label: { color: "var(--mantine-color-text)" } }}
                    >
                      {t(`mails.state.${mail.state}`)}
                    </Badge>
                  </Group>
                  <Text size="sm" c="dimmed">
                    {t("mails.to")} {mail.recipient} · <Timestamp at={mail.created_at} />
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  <Details mail={mail} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Box>
    </div>
  );
}
