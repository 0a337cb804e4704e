import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { SecondFactor, SecondFactorSetup } from "../../api/profile.ts";
import { profileApi } from "../../api/profile.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { QrCode } from "../../parts/forms/qr-code.tsx";
import { Secret } from "../../parts/forms/secret.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { profileQueries } from "../../queries/settings/profile.ts";

type Task = "set up" | "new codes" | "turn off";
const { queryKey } = profileQueries.secondFactor();

/** Two-step verification: an authenticator app in addition to the password. */
export function SecondFactorSection() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(profileQueries.secondFactor());
  const [task, setTask] = useState<Task | null>(null);
  const forget = useMutation({
    mutationFn: profileApi.forgetDevices,
    onSuccess: () => {
      showMessage(t("secondFactor.forgotten"));
      return queries.invalidateQueries({ queryKey });
    },
    onError: showError,
  });
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={2} />;
  const close = () => {
    setTask(null);
    void queries.invalidateQueries({ queryKey });
  };
  return (
    <Stack p="md" gap="sm">
      <FactorState state={data} />
      <Group>
        {data.enabled_at === null ? (
          <Button variant="default" onClick={() => setTask("set up")}>
            {t("secondFactor.setUp")}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => setTask("new codes")}>
              {t("secondFactor.newCodes")}
            </Button>
            {data.trusted_devices > 0 && (
              <Button variant="default" loading={forget.isPending} onClick={() => forget.mutate()}>
                {t("secondFactor.forget")}
              </Button>
            )}
            <Button variant="default" onClick={() => setTask("turn off")}>
              {t("secondFactor.turnOff")}
            </Button>
          </>
        )}
      </Group>
      {task === "set up" && <SetupDialog onClose={close} />}
      {task === "new codes" && <NewCodesDialog onClose={close} />}
      {task === "turn off" && <TurnOffDialog isRequired={data.is_required} onClose={close} />}
    </Stack>
  );
}

function FactorState({ state }: { state: SecondFactor }) {
  if (state.enabled_at === null)
    return <Text>{t(state.is_required ? "secondFactor.offButRequired" : "secondFactor.off")}</Text>;
  const facts = [
    t("secondFactor.codesLeft", { count: state.recovery_codes_left }),
    ...(state.trusted_devices === 0 ? [] : [t("secondFactor.devices", { count: state.trusted_devices })]),
  ];
  return (
    <div>
      <Text fw={600}>
        {t("secondFactor.on")} <Timestamp at={state.enabled_at} />
      </Text>
      <Text c="dimmed" size="sm">
        {facts.join(" · ")}
      </Text>
    </div>
  );
}

type PasswordStepProps<T> = {
  title: string;
  lead: string;
  action: string;
  ask(password: string): Promise<T>;
  onDone(answer: T): void;
  onClose(): void;
};

/** An unattended session must not be enough: the password is required first. */
function PasswordStep<T>({ title, lead, action, ask, onDone, onClose }: PasswordStepProps<T>) {
  const [password, setPassword] = useState("");
  const step = useMutation({
    mutationFn: () => ask(password),
    onSuccess: onDone,
    onError: (error) => getFieldError(error, "current_password") ?? showError(error),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <StepForm action={action} busy={step.isPending} onSubmit={() => step.mutate()} onClose={onClose}>
        <Text>{lead}</Text>
        <PasswordInput
          data-autofocus
          label={t("profile.currentPassword")}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={getFieldError(step.error, "current_password")}
        />
      </StepForm>
    </Dialog>
  );
}

type StepFormProps = { action: string; busy: boolean; onSubmit(): void; onClose(): void; children: ReactNode };

function StepForm({ action, busy, onSubmit, onClose, children }: StepFormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="md">
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function SetupDialog({ onClose }: { onClose(): void }) {
  const [setup, setSetup] = useState<SecondFactorSetup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <CodesDialog codes={codes} onClose={onClose} />;
  if (setup !== null) return <ScanDialog setup={setup} onDone={setCodes} onClose={onClose} />;
  return (
    <PasswordStep
      title={t("secondFactor.setUp")}
      lead={t("secondFactor.setUpLead")}
      action={t("secondFactor.next")}
      ask={profileApi.startSecondFactor}
      onDone={setSetup}
      onClose={onClose}
    />
  );
}

type ScanProps = { setup: SecondFactorSetup; onDone(codes: readonly string[]): void; onClose(): void };

function ScanDialog({ setup, onDone, onClose }: ScanProps) {
  const [code, setCode] = useState("");
  const finish = useMutation({
    mutationFn: () => profileApi.finishSecondFactor({ token: setup.token, code }),
    onSuccess: ({ recovery_codes }) => {
      showMessage(t("secondFactor.isOn"));
      onDone(recovery_codes);
    },
    onError: (error) => getFieldError(error, "code") ?? showError(error),
  });
  return (
    <Dialog title={t("secondFactor.scan")} onClose={onClose}>
      <StepForm
        action={t("secondFactor.turnOn")}
        busy={finish.isPending}
        onSubmit={() => finish.mutate()}
        onClose={onClose}
      >
        <Text>{t("secondFactor.scanLead")}</Text>
        <QrCode text={setup.uri} label={t("secondFactor.qrCode")} size={176} />
        <Text size="sm">{t("secondFactor.keyLead")}</Text>
        <Secret name={t("secondFactor.key")} value={setup.key} />
        <TextInput
          data-autofocus
          label={t("secondFactor.code")}
          description={t("secondFactor.appCodeHint")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={getFieldError(finish.error, "code")}
        />
      </StepForm>
    </Dialog>
  );
}

function NewCodesDialog({ onClose }: { onClose(): void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <PasswordStep
      title={t("secondFactor.newCodes")}
      lead={t("secondFactor.newCodesLead")}
      action={t("secondFactor.newCodes")}
      ask={profileApi.renewRecoveryCodes}
      onDone={({ recovery_codes }) => setCodes(recovery_codes)}
      onClose={onClose}
    />
  );
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <Dialog title={t("secondFactor.codes")} onClose={onClose}>
      <Stack gap="md">
        <Text>{t("secondFactor.codesLead")}</Text>
        <Secret name={t("secondFactor.codes")} value={codes.join("\n")} />
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {t("secondFactor.stored")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function TurnOffDialog({ isRequired, onClose }: { isRequired: boolean; onClose(): void }) {
  if (isRequired)
    return (
      <Dialog title={t("secondFactor.turnOff")} onClose={onClose}>
        <Alert>{t("secondFactor.required")}</Alert>
      </Dialog>
    );
  return (
    <PasswordStep
      title={t("secondFactor.turnOff")}
      lead={t("secondFactor.turnOffLead")}
      action={t("secondFactor.turnOff")}
      ask={profileApi.removeSecondFactor}
      onDone={() => {
        showMessage(t("secondFactor.isOff"));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
