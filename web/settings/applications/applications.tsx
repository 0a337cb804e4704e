import { Badge, Box, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { AddIcon } from "../../elements/icons.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { applicationQueries } from "../../queries/settings/applications.ts";

export function ApplicationsScreen() {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(applicationQueries.list(api));
  return (
    <div>
      <PageHeader
        title={t("applications.title")}
        lead={t("applications.lead", { account: account.name })}
        actions={
          <Button leftSection={<AddIcon size={16} />} {...linkTo(paths.newApplication(account.id))}>
            {t("applications.new")}
          </Button>
        }
      />
      <Box className="card">
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : data.length === 0 ? (
          <EmptyState title={t("applications.none")} lead={t("applications.noneLead")} />
        ) : (
          <SimpleTable
            label={t("applications.title")}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                label: t("applications.name"),
                cell: ({ id, name, disabled }) => (
                  <Group gap={8}>
                    <Link to={settingsPaths.application(account.id, id)}>{name}</Link>
                    {disabled && <Badge variant="default">{t("record.disabled")}</Badge>}
                  </Group>
                ),
              },
              { label: t("applications.grant_type"), cell: (each) => t(`applications.${each.grant_type}.short`) },
              { label: t("applications.pairs"), cell: ({ clients }) => clients.length },
              { label: t("tokens.created"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
            ]}
          />
        )}
      </Box>
    </div>
  );
}
