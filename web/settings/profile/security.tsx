import { Box, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../languages/index.ts";
import { Authorizations } from "./authorizations.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfilePage } from "./profile-page.tsx";
import { SecondFactorSection } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

/** Access and security: the person's sessions, credentials and authorized applications. */
export function SecurityScreen() {
  return (
    <ProfilePage active="security">
      <Stack gap="xl">
        <Section title={t("profile.sessions")} lead={t("profile.sessionsLead")}>
          <Sessions />
        </Section>
        <Section title={t("profile.authorizations")} lead={t("profile.authorizationsLead")}>
          <Authorizations />
        </Section>
        <Section title={t("secondFactor.title")} lead={t("secondFactor.lead")}>
          <SecondFactorSection />
        </Section>
        <Section title={t("passkeys.title")} lead={t("passkeys.lead")}>
          <Passkeys />
        </Section>
        <Section title={t("profile.password")}>
          <PasswordForm />
        </Section>
      </Stack>
    </ProfilePage>
  );
}

function Section({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
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
