import { Checkbox, Group, NumberInput, Stack, Textarea, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { SignInPolicy } from "../../api/administration.ts";
import { MultiSelect } from "../../fields/pickers/multi-select.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { choicesOf } from "../../languages/page-labels.ts";

// The sections of the sign-in policy.

const networkMembers = ["web_networks", "api_networks", "named_networks"] as const;
type NetworkMember = (typeof networkMembers)[number];

/** The policy with its networks as typed, including unfinished lines. */
export type PolicyValues = Omit<SignInPolicy, NetworkMember> & Record<NetworkMember, string>;

export function toValues(policy: SignInPolicy): PolicyValues {
  const { web_networks, api_networks, named_networks, ...rest } = policy;
  const join = (entries: readonly string[]) => entries.join("\n");
  return {
    ...rest,
    web_networks: join(web_networks),
    api_networks: join(api_networks),
    named_networks: join(named_networks),
  };
}

const splitNetworks = (name: NetworkMember, text: string): string[] =>
  text.split(name === "named_networks" ? /\s*\n\s*/ : /[\s,;]+/).filter((line) => line.trim() !== "");

export function toPolicy(changes: Partial<PolicyValues>): Partial<SignInPolicy> {
  const { web_networks, api_networks, named_networks, ...rest } = changes;
  const networks = networkMembers.flatMap((name) => {
    const text = changes[name];
    return text === undefined ? [] : [[name, splitNetworks(name, text)]];
  });
  return { ...rest, ...Object.fromEntries(networks) };
}

export type PolicyFields = {
  values: PolicyValues;
  set(changed: Partial<PolicyValues>): void;
  getError(name: keyof SignInPolicy): string | undefined;
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="md" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

const methods = ["password", "passkey", "single_sign_on"] as const;

export function MethodFields({ values, set, getError }: PolicyFields) {
  return (
    <Part title={t("signInPolicy.methods")}>
      <Checkbox.Group
        aria-label={t("signInPolicy.methods")}
        value={[...values.sign_in_methods]}
        // Keeps the order of the list, whatever was clicked first.
        onChange={(wanted) => set({ sign_in_methods: methods.filter((method) => wanted.includes(method)) })}
        error={getError("sign_in_methods")}
      >
        <Stack gap="xs">
          {methods.map((method) => (
            <Checkbox key={method} value={method} label={t(`signInPolicy.${method}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Part>
  );
}

const demands = ["optional", "roles", "everyone"] as const;

export function SecondFactorFields({ values, set, getError }: PolicyFields) {
  const roles = choicesOf("permission.role");
  return (
    <Part title={t("secondFactor.demand")}>
      <Select
        aria-label={t("secondFactor.demand")}
        description={values.second_factor === "optional" ? undefined : t("secondFactor.demandHint")}
        data={demands.map((value) => ({ value, label: t(`secondFactor.${value}`) }))}
        value={values.second_factor}
        onChange={(value) => set({ second_factor: demands.find((each) => each === value) ?? values.second_factor })}
        allowDeselect={false}
      />
      {values.second_factor === "roles" && (
        <MultiSelect
          label={t("secondFactor.demandedRoles")}
          data={roles}
          value={[...values.second_factor_roles]}
          onChange={(chosen) => set({ second_factor_roles: roles.filter((role) => chosen.includes(role)) })}
          error={getError("second_factor_roles")}
          searchable
        />
      )}
    </Part>
  );
}

type NumberName = "minimum_password_length" | "idle_session_minutes" | "longest_session_hours" | "longest_token_days";

function NumberField({
  fields: { values, set, getError },
  name,
  hint,
}: {
  fields: PolicyFields;
  name: NumberName;
  hint?: string;
}) {
  return (
    <NumberInput
      label={t(`signInPolicy.${name}`)}
      {...(hint === undefined ? {} : { description: hint })}
      allowDecimal={false}
      allowNegative={false}
      value={values[name]}
      onChange={(value) => set({ [name]: Number(value) })}
      error={getError(name)}
      maw={360}
    />
  );
}

export function PasswordFields(fields: PolicyFields) {
  const { values, set } = fields;
  return (
    <Part title={t("signInPolicy.passwords")}>
      <NumberField fields={fields} name="minimum_password_length" hint={t("signInPolicy.minimumHint")} />
      <Checkbox
        label={t("signInPolicy.refuse_common_passwords")}
        checked={values.refuse_common_passwords}
        onChange={(event) => set({ refuse_common_passwords: event.currentTarget.checked })}
      />
    </Part>
  );
}

export function SessionFields(fields: PolicyFields) {
  return (
    <Part title={t("signInPolicy.sessions")}>
      <Group align="flex-start">
        <NumberField fields={fields} name="idle_session_minutes" />
        <NumberField fields={fields} name="longest_session_hours" />
      </Group>
    </Part>
  );
}

export function TokenFields(fields: PolicyFields) {
  const { values, set } = fields;
  return (
    <Part title={t("signInPolicy.tokens")}>
      <NumberField fields={fields} name="longest_token_days" />
      <Checkbox
        label={t("signInPolicy.tokens_without_expiry")}
        checked={values.tokens_without_expiry}
        onChange={(event) => set({ tokens_without_expiry: event.currentTarget.checked })}
      />
    </Part>
  );
}

export function NetworkFields(fields: PolicyFields) {
  return (
    <Part title={t("signInPolicy.networks")}>
      <NetworkList fields={fields} name="web_networks" />
      <NetworkList fields={fields} name="api_networks" />
      <NetworkList fields={fields} name="named_networks" />
    </Part>
  );
}

function NetworkList({ fields, name }: { fields: PolicyFields; name: NetworkMember }) {
  return (
    <Textarea
      label={t(`signInPolicy.${name}`)}
      description={t(name === "named_networks" ? "signInPolicy.namedHint" : "signInPolicy.networksHint")}
      autosize
      minRows={2}
      value={fields.values[name]}
      onChange={(event) => fields.set({ [name]: event.currentTarget.value })}
      error={fields.getError(name)}
    />
  );
}
