import { Box, Title } from "@mantine/core";
import { useCurrentAccount } from "../../api/current-account.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import type { ProvisioningRun } from "./state.ts";

/** The runs of provisioning rules, newest first. */
export function RuleRuns({ runs }: { runs: readonly ProvisioningRun[] }) {
  const { account } = useCurrentAccount();
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t("provisioning.runs")}
      </Title>
      <Box className="card">
        <SimpleTable
          label={t("provisioning.runs")}
          rows={runs}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t("provisioning.rule"),
              cell: ({ rule_id, rule_name }) => <Link to={settingsPaths.rule(account.id, rule_id)}>{rule_name}</Link>,
            },
            {
              label: t("provisioning.about"),
              cell: ({ record_type, record_id }) =>
                `${t(record_type === "scim_user" ? "provisioning.user" : "provisioning.group")} ${record_id}`,
            },
            { label: t("provisioning.outcome"), cell: ({ outcome }) => t(`rules.outcome.${outcome}`) },
            { label: t("provisioning.when"), cell: ({ started_at }) => <Timestamp at={started_at} /> },
            { label: t("provisioning.error"), cell: ({ error }) => error ?? "" },
          ]}
        />
      </Box>
    </section>
  );
}
