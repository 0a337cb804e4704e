import { Accordion, Badge, Box, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { person as personType } from "../../../records/people/person.ts";
import type { Mail } from "../../api/administration.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { emailQueries } from "../../queries/settings/email.ts";

const colors = { waiting: "yellow", sent: "teal", failed: "red", gathered: "gray", digested: "teal" } as const;

/** The polling interval, in milliseconds, until a resent email has left. */
const pauseWhileWaiting = 2000;

function ResendButton({ mail, onSent }: { mail: Mail; onSent(id: number): void }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => administrationApi(account.id).sendMailAgain(mail.id),
    onSuccess: () => {
      onSent(mail.id);
      showMessage(t("mails.sentAgain"));
    },
    onError: showError,
    // Also after an error: another administrator may have resent it.
    onSettled: () => queries.invalidateQueries({ queryKey: emailQueries.sent(api).queryKey }),
  });
  return (
    <Button variant="default" size="xs" my="xs" loading={resend.isPending} onClick={() => resend.mutate()}>
      {t("mails.sendAgain")}
    </Button>
  );
}

function Details({ mail, onSent }: { mail: Mail; onSent(id: number): void }) {
  const { account } = useCurrentAccount();
  const { person, record, error, body, state } = mail;
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
          {t("mails.about")}{" "}
          <Link to={paths.record(account.id, type, record.id)}>{`${typeLabel(type)} ${record.id}`}</Link>
        </Text>
      )}
      {error !== null && <Text size="sm">{error}</Text>}
      {state === "failed" && body !== "" && <ResendButton mail={mail} onSent={onSent} />}
      <Text className="text">{body}</Text>
    </>
  );
}

/** Sent emails and their delivery states. */
export function MailsScreen() {
  const { api } = useCurrentAccount();
  const [sentAgain, setSentAgain] = useState<readonly number[]>([]);
  const { data, error, refetch } = useQuery({
    ...emailQueries.sent(api),
    refetchInterval: (query) =>
      query.state.data?.some(({ id, state }) => state === "waiting" && sentAgain.includes(id))
        ? pauseWhileWaiting
        : false,
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
          <EmptyState title={t("mails.none")} lead={t("mails.noneLead")} />
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
                  <Details mail={mail} onSent={(id) => setSentAgain((ids) => [...ids, id])} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Box>
    </div>
  );
}
