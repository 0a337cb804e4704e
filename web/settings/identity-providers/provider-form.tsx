import { Button, Group, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { IdentityProvider, ProviderValues } from "../../api/identity-providers.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { DraftNote } from "../draft-note.tsx";

type Props = {
  provider?: IdentityProvider;
  error: unknown;
  busy: boolean;
  onSave(values: ProviderValues): Promise<unknown>;
  onCancel(): void;
};

const mappedFields = [
  ...(["email", "name", "job_title", "locale", "time_zone", "organization", "site"] as const),
  ...(["manager", "picture"] as const),
];

const usualClaims: Readonly<Record<string, string>> = {
  ...{ email: "email", name: "name", job_title: "jobTitle", locale: "locale", time_zone: "zoneinfo" },
  ...{ organization: "organization", site: "site", manager: "manager", picture: "picture" },
};

const startWith = (provider: IdentityProvider | undefined) => ({
  name: provider?.name ?? "",
  reference: provider?.reference ?? "",
  issuer: provider?.issuer ?? "",
  client_id: provider?.client_id ?? "",
  domains: provider?.domains.join("\n") ?? "",
  scopes: provider?.scopes ?? "openid email profile",
  identifier: provider?.identifier ?? ("email" as const),
  identifier_claim: provider?.identifier_claim ?? "sub",
  claims: provider?.claims ?? usualClaims,
  create_people: provider?.create_people ?? false,
  second_factor_by_provider: provider?.second_factor_by_provider ?? false,
  enforced: provider?.enforced ?? false,
});
type Values = ReturnType<typeof startWith>;
type TextMember = "name" | "reference" | "issuer" | "client_id" | "scopes" | "identifier_claim";
type SwitchMember = "create_people" | "second_factor_by_provider" | "enforced";

export function ProviderForm({ provider, error, busy, onSave, onCancel }: Props) {
  const key = `identity-provider/${provider?.id ?? "new"}`;
  const { values, change: set, draft, isOutdated } = useSettingsDraft<Values>(key, startWith(provider));
  const [client_secret, setSecret] = useState(""); // never stored in the draft
  const text = (member: TextMember) => ({
    value: values[member],
    onChange: (event: { currentTarget: { value: string } }) => set({ [member]: event.currentTarget.value }),
    error: getFieldError(error, member),
  });
  const flag = (member: SwitchMember) => ({
    checked: values[member],
    onChange: (event: { currentTarget: { checked: boolean } }) => set({ [member]: event.currentTarget.checked }),
  });
  const save = () => {
    const { domains, ...rest } = values;
    void onSave({
      ...rest,
      domains: domains.split(/[\s,]+/).filter(Boolean),
      // An empty field keeps the stored secret.
      ...(client_secret === "" ? {} : { client_secret }),
    }).then(draft.remove, () => {}); // the caller shows the error
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="lg">
        <DraftNote draft={draft} isOutdated={isOutdated} />
        <TextInput
          label={t("providers.name")}
          description={t("providers.nameHint")}
          required
          maxLength={128}
          {...text("name")}
        />
        <TextInput
          label={t("providers.reference")}
          description={t("providers.referenceHint")}
          required
          maxLength={40}
          {...text("reference")}
        />
        <TextInput
          label={t("providers.issuer")}
          description={t("providers.issuerHint")}
          type="url"
          required
          {...text("issuer")}
        />
        <TextInput label={t("providers.clientId")} required autoComplete="off" {...text("client_id")} />
        <PasswordInput
          label={t("providers.clientSecret")}
          description={t(provider?.has_client_secret ? "providers.secretStored" : "providers.secretHint")}
          autoComplete="new-password"
          value={client_secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          error={getFieldError(error, "client_secret")}
        />
        <Textarea
          label={t("providers.domains")}
          description={t("providers.domainsHint")}
          autosize
          minRows={2}
          value={values.domains}
          onChange={(event) => set({ domains: event.currentTarget.value })}
          error={getFieldError(error, "domains")}
        />
        <Select
          label={t("providers.identifier")}
          description={t("providers.identifierHint")}
          data={[
            { value: "email", label: t("providers.byEmail") },
            { value: "authenticationID", label: t("providers.byAuthenticationId") },
          ]}
          value={values.identifier}
          onChange={(identifier) => set({ identifier: identifier === "authenticationID" ? identifier : "email" })}
          allowDeselect={false}
        />
        {values.identifier === "authenticationID" && (
          <TextInput label={t("providers.identifierClaim")} required {...text("identifier_claim")} />
        )}
        <TextInput label={t("providers.scopes")} required {...text("scopes")} />
        <Switch
          label={t("providers.createPeople")}
          description={t("providers.createPeopleHint")}
          {...flag("create_people")}
        />
        <Switch
          label={t("providers.secondFactor")}
          description={t("providers.secondFactorHint")}
          {...flag("second_factor_by_provider")}
        />
        <Switch label={t("providers.enforced")} description={t("providers.enforcedHint")} {...flag("enforced")} />
        <ClaimFields
          claims={values.claims}
          problem={getFieldError(error, "claims")}
          onChange={(field, claim) => set(({ claims }) => ({ claims: { ...claims, [field]: claim } }))}
        />
        <Group>
          <Button type="submit" loading={busy}>
            {t(provider === undefined ? "form.create" : "form.save")}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type ClaimProps = {
  claims: Readonly<Record<string, string>>;
  problem: string | undefined;
  onChange(field: string, claim: string): void;
};

function ClaimFields({ claims, problem, onChange }: ClaimProps) {
  return (
    <fieldset style={{ margin: 0, padding: 0, border: 0, minWidth: 0 }}>
      <Text component="legend" fw={600} p={0}>
        {t("providers.claims")}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t("providers.claimsHint")}
      </Text>
      <div style={{ display: "grid", gap: 12, gridTemplateColumns: "repeat(auto-fill, minmax(220px, 1fr))" }}>
        {mappedFields.map((field) => (
          <TextInput
            key={field}
            label={t(`providers.claim.${field}`)}
            value={claims[field] ?? ""}
            onChange={(event) => onChange(field, event.currentTarget.value)}
          />
        ))}
      </div>
      {problem !== undefined && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {problem}
        </Text>
      )}
    </fieldset>
  );
}
