import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ProofMethod, ProofProvider } from "../../api/index.ts";
import { findPasskey, knowsPasskeys } from "../../api/passkeys.ts";
import { profileApi } from "../../api/profile.ts";
import { errorText } from "../../elements/error-text.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { getFieldError } from "../forms/field-error.ts";

type Props = {
  methods: readonly ProofMethod[];
  providers: readonly ProofProvider[];
  onAnswer(isProven: boolean): void;
};

/**
 * Reauthentication before creating something that outlives the session: asks for the password, a code or a passkey in a
 * dialog. A provider asks on its own pages: people without another way come back to the page and repeat the action.
 */
export function ProofDialog({ methods, providers, onAnswer }: Props) {
  const typed = methods.filter((method) => method === "password" || method === "code");
  const [chosen, setChosen] = useState<ProofMethod | undefined>(typed[0]);
  const [text, setText] = useState("");
  const prove = useMutation({
    mutationFn: () => profileApi.prove(chosen === "code" ? { code: text } : { current_password: text }),
    onSuccess: () => onAnswer(true),
    onError: () => setText(""),
  });
  const other = typed.find((method) => method !== chosen);
  const problem =
    getFieldError(prove.error, "code") ??
    getFieldError(prove.error, "current_password") ??
    (prove.error === null ? undefined : errorText(prove.error));
  return (
    <Dialog title={t("stepUp.title")} loose={false} onClose={() => onAnswer(false)}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          prove.mutate();
        }}
      >
        <Stack gap="md">
          <Text>{t(methods.length === 0 ? "stepUp.signInAgain" : "stepUp.lead")}</Text>
          {chosen === "password" && (
            <PasswordInput
              data-autofocus
              label={t("profile.currentPassword")}
              autoComplete="current-password"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={problem}
            />
          )}
          {chosen === "code" && (
            <TextInput
              data-autofocus
              label={t("secondFactor.code")}
              description={t("secondFactor.codeHint")}
              autoComplete="one-time-code"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={problem}
            />
          )}
          {other !== undefined && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="left"
              onClick={() => {
                setChosen(other);
                setText("");
                prove.reset();
              }}
            >
              {t(other === "code" ? "stepUp.useCode" : "stepUp.usePassword")}
            </Anchor>
          )}
          {methods.includes("passkey") && knowsPasskeys() && <PasskeyProof onProven={() => onAnswer(true)} />}
          {providers.length > 0 && (
            <div>
              <Group gap="sm">
                {providers.map(({ name, address }) => (
                  <Button
                    key={address}
                    component="a"
                    variant="default"
                    href={`${address}&return_to=${encodeURIComponent(location.pathname + location.search)}`}
                  >
                    {t("stepUp.withProvider", { name })}
                  </Button>
                ))}
              </Group>
              <Text size="sm" c="dimmed" mt={6}>
                {t("stepUp.providerHint")}
              </Text>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onAnswer(false)}>
              {t("form.cancel")}
            </Button>
            {chosen !== undefined && (
              <Button type="submit" loading={prove.isPending}>
                {t("stepUp.continue")}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function PasskeyProof({ onProven }: { onProven(): void }) {
  const prove = useMutation({
    mutationFn: async () => {
      const { options, challenge } = await profileApi.startProof();
      await profileApi.prove({ challenge, passkey: await findPasskey(options) });
    },
    onSuccess: onProven,
  });
  return (
    <div>
      <Button variant="default" loading={prove.isPending} onClick={() => prove.mutate()}>
        {t("stepUp.withPasskey")}
      </Button>
      {prove.isError && (
        <Text role="alert" c="var(--red)" size="sm" mt={6}>
          {t("passkeys.failed")}
        </Text>
      )}
    </div>
  );
}
