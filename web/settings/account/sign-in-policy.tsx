import { Box, Button, MultiSelect, Select, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { labelChoice, t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import type { SignInPolicy } from "../../wire.ts";

/** How the people of the account sign in. */
export function SignInPolicyScreen() {
  const { account } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "sign-in policy"],
    queryFn: administrationApi(account.id).signInPolicy,
  });
  return (
    <div>
      <PageHeader title={t("secondFactor.policyTitle")} lead={t("secondFactor.policyLead")} />
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
