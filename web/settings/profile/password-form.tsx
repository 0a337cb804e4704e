import { Button, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { profileApi } from "../../api/profile.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";

export function PasswordForm() {
  const [current_password, setCurrent] = useState("");
  const [new_password, setWanted] = useState("");
  const change = useMutation({
    mutationFn: () => profileApi.changePassword({ current_password, new_password }),
    onSuccess: () => {
      showMessage(t("profile.passwordChanged"));
      setCurrent("");
      setWanted("");
    },
    onError: (error) =>
      getFieldError(error, "current_password") ?? getFieldError(error, "new_password") ?? showError(error),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <Stack p="md" maw={420}>
        <PasswordInput
          label={t("profile.currentPassword")}
          autoComplete="current-password"
          value={current_password}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={getFieldError(change.error, "current_password")}
        />
        <PasswordInput
          label={t("profile.newPassword")}
          description={t("profile.newPasswordHint")}
          autoComplete="new-password"
          value={new_password}
          onChange={(event) => setWanted(event.currentTarget.value)}
          error={getFieldError(change.error, "new_password")}
        />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t("profile.changePassword")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
