import { Box, Button, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SignInPolicy } from "../../api/administration.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { accountSettingsQueries } from "../../queries/settings/account.ts";
import { DraftNote } from "../draft-note.tsx";
import {
  MethodFields,
  NetworkFields,
  PasswordFields,
  type PolicyFields,
  SecondFactorFields,
  SessionFields,
  TokenFields,
  toPolicy,
  toValues,
} from "./sign-in-policy-fields.tsx";

/** The sign-in policy of the account. */
export function SignInPolicyScreen() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(accountSettingsQueries.signInPolicy(api));
  return (
    <div>
      <ProofGate />
      <PageHeader title={t("settings.signIn")} lead={t("settings.signInLead")} />
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <PolicyForm policy={data} />
      )}
    </div>
  );
}

function PolicyForm({ policy }: { policy: SignInPolicy }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const { values, changes, change, draft, isOutdated } = useSettingsDraft("sign-in-policy", toValues(policy));
  const save = useMutation({
    // Only changes are sent, so that two administrators can change different fields at the same time.
    mutationFn: () => administrationApi(account.id).changeSignInPolicy(toPolicy(changes)),
    onSuccess: (saved) => {
      showMessage(t("secondFactor.policySaved"));
      queries.setQueryData(accountSettingsQueries.signInPolicy(api).queryKey, saved);
      draft.remove();
    },
    onError: (error) => Object.keys(policy).some((name) => getFieldError(error, name)) || showError(error),
  });
  const fields: PolicyFields = {
    values,
    set: change,
    getError: (name) => getFieldError(save.error, name),
  };
  return (
    <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack gap="xl">
          <DraftNote draft={draft} isOutdated={isOutdated} />
          <MethodFields {...fields} />
          <SecondFactorFields {...fields} />
          <PasswordFields {...fields} />
          <SessionFields {...fields} />
          <TokenFields {...fields} />
          <NetworkFields {...fields} />
          <div>
            <Button type="submit" loading={save.isPending}>
              {t("form.save")}
            </Button>
          </div>
        </Stack>
      </form>
    </Box>
  );
}
