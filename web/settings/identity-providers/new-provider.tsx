import { Box } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { identityProvidersApi, providersKey } from "../../api/identity-providers.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { ProofGate } from "../proof/proof-gate.tsx";
import { settingsPaths } from "../settings-paths.ts";
import { ProviderForm } from "./provider-form.tsx";

export function NewProviderScreen() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const list = settingsPaths.identityProviders(account.id);
  const create = useMutation({
    mutationFn: identityProvidersApi(account.id).create,
    onSuccess: ({ id }) => {
      showMessage(t("providers.created"));
      void queries.invalidateQueries({ queryKey: providersKey(account.id) });
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
