import { Box } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { applicationQueries } from "../../queries/settings/applications.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { ApplicationForm } from "./application-form.tsx";

export function NewApplicationScreen() {
  const { account, api } = useCurrentAccount();
  const [prefilled] = useAddressSearch("name", "scopes", "grant_type");
  const queries = useQueryClient();
  const list = settingsPaths.applications(account.id);
  const create = useMutation({
    mutationFn: administrationApi(account.id).createApplication,
    onSuccess: ({ id }) => {
      showMessage(t("applications.created"));
      void queries.invalidateQueries({ queryKey: applicationQueries.all(api) });
      navigateTo(settingsPaths.application(account.id, id), true);
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : showError(error)),
  });
  return (
    <div>
      <ProofGate />
      <PageHeader title={t("applications.new")} trail={[{ label: t("applications.title"), path: list }]} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <ApplicationForm
          prefilled={prefilled}
          error={create.error}
          busy={create.isPending}
          onSave={create.mutateAsync}
          onCancel={() => navigateTo(list)}
        />
      </Box>
    </div>
  );
}
