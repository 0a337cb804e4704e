import { Box, Button, Checkbox, NumberInput, PasswordInput, Stack, Textarea, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { EmailPolicy } from "../../api/administration.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { emailQueries } from "../../queries/settings/email.ts";
import { DraftNote } from "../draft-note.tsx";
import "../../styles/settings/home.css";

const choices = ["always", "only_from_allowed_people", "never"] as const;
const switches = ["replies_as_notes", "match_id_in_subject", "allow_from", "create_people"] as const;

export function EmailPolicyForm() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(emailQueries.policy(api));
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  return data === undefined ? <LoadingSkeleton /> : <PolicyForm policy={data} />;
}

/** The effect of the policy on four kinds of email. */
const listExamples = (policy: Omit<EmailPolicy, "allowed_senders">): string[] => [
  t(`policy.example.${policy.generate_new_requests}`),
  t(policy.create_people ? "policy.example.newPerson" : "policy.example.stranger"),
  policy.replies_as_notes
    ? t("policy.example.reply", { days: policy.days_after_completion })
    : t("policy.example.noReply"),
  t(policy.match_id_in_subject ? "policy.example.number" : "policy.example.noNumber"),
];

function PolicyForm({ policy }: { policy: EmailPolicy }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const form = { ...policy, allowed_senders: policy.allowed_senders.join("\n") };
  const { values, change: set, draft, isOutdated } = useSettingsDraft("email-policy", form);
  const [secret, setSecret] = useState(""); // never stored in the draft
  const save = useMutation({
    mutationFn: () => {
      const { has_secret, ...settings } = values;
      const allowed_senders = values.allowed_senders.split(/[\s,;]+/).filter((one) => one !== "");
      return administrationApi(account.id).changeEmailPolicy({
        ...settings,
        allowed_senders,
        ...(secret === "" ? {} : { secret }),
      });
    },
    onSuccess: async () => {
      setSecret("");
      showMessage(t("policy.saved"));
      await queries.invalidateQueries({ queryKey: emailQueries.policy(api).queryKey });
      draft.remove();
    },
    onError: (error) => getFieldError(error, "allowed_senders") ?? getFieldError(error, "secret") ?? showError(error),
  });
  return (
    <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack gap="md">
          <Title order={2} size="h4">
            {t("policy.title")}
          </Title>
          <DraftNote draft={draft} isOutdated={isOutdated} />
          <Select
            label={t("policy.generate_new_requests")}
            data={choices.map((value) => ({ value, label: t(`policy.${value}`) }))}
            value={values.generate_new_requests}
            onChange={(value) => set({ generate_new_requests: choices.find((each) => each === value) ?? "always" })}
            allowDeselect={false}
          />
          {values.generate_new_requests === "only_from_allowed_people" && (
            <Textarea
              label={t("policy.allowed_senders")}
              description={t("policy.allowed_sendersHint")}
              autosize
              minRows={2}
              value={values.allowed_senders}
              onChange={(event) => set({ allowed_senders: event.currentTarget.value })}
              error={getFieldError(save.error, "allowed_senders")}
            />
          )}
          {switches.map((name) => (
            <Checkbox
              key={name}
              label={t(`policy.${name}`)}
              checked={values[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
          ))}
          {values.allow_from && (
            <PasswordInput
              label={t("policy.secret")}
              {...(policy.has_secret ? { description: t("policy.secretKept") } : {})}
              autoComplete="new-password"
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
              error={getFieldError(save.error, "secret")}
            />
          )}
          <NumberInput
            label={t("policy.days_after_completion")}
            min={0}
            max={3650}
            value={values.days_after_completion}
            onChange={(value) => set({ days_after_completion: Number(value) })}
          />
          <section aria-label={t("policy.examples")}>
            <Title order={3} size="h5">
              {t("policy.examples")}
            </Title>
            <ul className="policy-examples">
              {listExamples(values).map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
          </section>
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
