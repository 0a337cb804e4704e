import { Badge, Box, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { AddIcon } from "../../elements/icons.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { identityProviderQueries } from "../../queries/settings/identity-providers.ts";

export function ProvidersScreen() {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(identityProviderQueries.list(api));
  return (
    <div>
      <PageHeader
        title={t("settings.identityProviders")}
        lead={t("settings.identityProvidersLead")}
        actions={
          <Button leftSection={<AddIcon size={16} />} {...linkTo(settingsPaths.identityProviders(account.id, "new"))}>
            {t("providers.new")}
          </Button>
        }
      />
      <Box className="card" w={760} maw="100%">
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : data.length === 0 ? (
          <EmptyState title={t("providers.none")} lead={t("providers.noneLead")} />
        ) : (
          <SimpleTable
            label={t("settings.identityProviders")}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                label: t("providers.name"),
                cell: ({ id, name, disabled, enforced }) => (
                  <Group gap={8}>
                    <Link to={settingsPaths.identityProviders(account.id, id)}>{name}</Link>
                    {disabled && <Badge variant="default">{t("record.disabled")}</Badge>}
                    {enforced && !disabled && <Badge variant="light">{t("providers.required")}</Badge>}
                  </Group>
                ),
              },
              { label: t("providers.issuer"), cell: ({ issuer }) => issuer },
              { label: t("providers.domains"), cell: ({ domains }) => domains.join(", ") },
            ]}
          />
        )}
      </Box>
    </div>
  );
}
