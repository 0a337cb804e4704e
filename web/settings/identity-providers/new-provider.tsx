import { Box } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { identityProvidersApi } from "../../api/identity-providers.ts";
import { ApiError } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { identityProviderQueries } from "../../queries/settings/identity-providers.ts";
import { ProviderForm } from "./provider-form.tsx";

export function NewProviderScreen() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const list = settingsPaths.identityProviders(account.id);
  const create = useMutation({
    mutationFn: identityProvidersApi(account.id).create,
    onSuccess: ({ id }) => {
      showMessage(t("providers.created"));
      void queries.invalidateQueries({ queryKey: identityProviderQueries.all(api) });
      navigateTo(settingsPaths.identityProviders(account.id, id), true);
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : showError(error)),
  });
  return (
    <div>
      <ProofGate />
      <PageHeader title={t("providers.new")} trail={[{ label: t("settings.identityProviders"), path: list }]} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <ProviderForm
          error={create.error}
          busy={create.isPending}
          onSave={create.mutateAsync}
          onCancel={() => navigateTo(list)}
        />
      </Box>
    </div>
  );
}
