import { Card, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useCurrentAccount } from "../current-account.ts";
import { t } from "../languages/index.ts";
import { collectionLabel } from "../languages/labels.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { Link } from "../parts/link.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { paths } from "../paths.ts";
import { typeGroups } from "../record-types.ts";

export function HomeScreen() {
  const { who, account, may } = useCurrentAccount();
  const shown = typeGroups
    .map(({ group, types }) => ({ group, types: types.filter((type) => may("read", type)) }))
    .filter(({ types }) => types.length > 0);
  return (
    <div>
      <PageHeader title={t("home.title", { name: who.person.name })} lead={t("home.lead", { account: account.name })} />
      {shown.length === 0 ? (
        <EmptyState title={t("home.nothing")} lead={t("home.nothingLead", { account: account.name })} />
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          {shown.map(({ group, types }) => (
            <Card key={group} withBorder padding="lg">
              <Title order={2} size="h5" mb="sm">
                {t(`group.${group}`)}
              </Title>
              <Stack gap={6}>
                {types.map((type) => (
                  <Text key={type.name}>
                    <Link to={paths.list(account.id, type)}>{collectionLabel(type)}</Link>
                  </Text>
                ))}
              </Stack>
            </Card>
          ))}
        </SimpleGrid>
      )}
    </div>
  );
}
