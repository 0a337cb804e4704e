import { Badge, Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { session } from "../api.ts";
import { t } from "../languages/index.ts";
import { browserName } from "../parts/browser-name.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { PasswordForm } from "../parts/password-form.tsx";
import { Problem } from "../parts/problem.tsx";
import { ProfileTabs } from "../parts/profile-tabs.tsx";
import { Rows } from "../parts/rows.tsx";
import { ScopeWords } from "../parts/scope-words.tsx";
import { say, sayError } from "../parts/toast.ts";
import { Waiting } from "../parts/waiting.tsx";
import type { Authorization } from "../wire.ts";

/** Access and security: where somebody is signed in, and what may act for them. */
export function SecurityScreen() {
  return (
    <div>
      <PageHeader title={t("profile.title")} lead={t("profile.lead")} />
      <ProfileTabs active="security">
        <Stack gap="xl">
          <Part title={t("profile.sessions")} lead={t("profile.sessionsLead")}>
            <Sessions />
          </Part>
          <Part title={t("profile.authorizations")} lead={t("profile.authorizationsLead")}>
            <Authorizations />
          </Part>
          <Part title={t("profile.password")}>
            <PasswordForm />
          </Part>
        </Stack>
      </ProfileTabs>
    </div>
  );
}

function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {lead !== undefined && (
        <Text c="dimmed" size="sm">
          {lead}
        </Text>
      )}
      <Box className="card" mt="sm">
        {children}
      </Box>
    </section>
  );
}

function Sessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: ["sessions"], queryFn: session.sessions });
  const end = useMutation({
    mutationFn: session.endSession,
    onSuccess: () => {
      say(t("profile.sessionEnded"));
      return queries.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: sayError,
  });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <Waiting rows={3} />;
  return (
    <Rows
      label={t("profile.sessions")}
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t("profile.browser"),
          cell: ({ user_agent, current }) => (
            <Group gap={8}>
              {browserName(user_agent)}
              {current && <Badge variant="default">{t("profile.thisSession")}</Badge>}
            </Group>
          ),
        },
        { label: t("profile.address"), cell: ({ address }) => address },
        { label: t("profile.signedInSince"), cell: ({ created_at }) => <Moment at={created_at} /> },
        { label: t("profile.lastSeen"), cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
      ]}
      actions={({ id, current, user_agent }) =>
        !current && (
          <Button
            variant="default"
            size="xs"
            loading={end.isPending && end.variables === id}
            aria-label={t("profile.endSessionName", { browser: browserName(user_agent) })}
            onClick={() => end.mutate(id)}
          >
            {t("profile.endSession")}
          </Button>
        )
      }
    />
  );
}

function Authorizations() {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: ["authorizations"], queryFn: session.authorizations });
  const [asking, setAsking] = useState<Authorization | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: Authorization) => session.revokeAuthorization(id),
    onSuccess: (_answer, { application }) => {
      say(t("profile.revoked", { name: application.name }));
      return queries.invalidateQueries({ queryKey: ["authorizations"] });
    },
    onError: sayError,
    onSettled: () => setAsking(null),
  });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <Waiting rows={3} />;
  if (data.length === 0)
    return (
      <Text p="md" c="dimmed">
        {t("profile.noAuthorizations")}
      </Text>
    );
  return (
    <>
      <Rows
        label={t("profile.authorizations")}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t("applications.name"),
            cell: ({ application, account }) => (
              <>
                {application.name}
                <Text size="sm" c="dimmed" fw={400}>
                  {account.name}
                </Text>
              </>
            ),
          },
          { label: t("applications.scopes"), cell: ({ scopes }) => <ScopeWords scopes={scopes} /> },
          { label: t("tokens.created"), cell: ({ created_at }) => <Moment at={created_at} /> },
          { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        ]}
        actions={(each) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t("profile.revokeName", { name: each.application.name })}
            onClick={() => setAsking(each)}
          >
            {t("profile.revoke")}
          </Button>
        )}
      />
      {asking !== null && (
        <Confirm
          title={t("profile.revokeConfirm", { name: asking.application.name })}
          lead={t("profile.revokeLead")}
          action={t("profile.revoke")}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
