import { Button, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { session } from "../api.ts";
import { t } from "../languages/index.ts";
import { problemAt } from "./problem-at.ts";
import { say, sayError } from "./toast.ts";

export function PasswordForm() {
  const [current_password, setCurrent] = useState("");
  const [new_password, setWanted] = useState("");
  const change = useMutation({
    mutationFn: () => session.changePassword({ current_password, new_password }),
    onSuccess: () => {
      say(t("profile.passwordChanged"));
      setCurrent("");
      setWanted("");
    },
    onError: (error) => problemAt(error, "current_password") ?? problemAt(error, "new_password") ?? sayError(error),
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
          error={problemAt(change.error, "current_password")}
        />
        <PasswordInput
          label={t("profile.newPassword")}
          description={t("profile.newPasswordHint")}
          autoComplete="new-password"
          value={new_password}
          onChange={(event) => setWanted(event.currentTarget.value)}
          error={problemAt(change.error, "new_password")}
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
