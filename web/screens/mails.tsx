import { Accordion, Box, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { administration } from "../api.ts";
import { t } from "../languages/index.ts";
import { Empty } from "../parts/empty.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useHere } from "../session.ts";

/** Mails that would have been sent, had there been a server to send them with. */
export function MailsScreen() {
  const { account } = useHere();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "mails"],
    queryFn: administration(account.id).mails,
  });
  return (
    <div>
      <PageHeader title={t("mails.title")} lead={t("mails.lead")} />
      <Box className="card">
        {error !== null ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Waiting />
        ) : data.length === 0 ? (
          <Empty title={t("mails.none")} />
        ) : (
          <Accordion chevronPosition="left">
            {data.map(({ id, subject, recipient, body, created_at }) => (
              <Accordion.Item key={id} value={String(id)}>
                <Accordion.Control>
                  {subject}
                  <Text size="sm" c="dimmed">
                    {t("mails.to")} {recipient} · <Moment at={created_at} />
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  <Text className="text">{body}</Text>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Box>
    </div>
  );
}
